import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { json } from "node:stream/consumers";
import { expect, inject, test } from "vitest";
import { startProduct } from "../product";
import { newAccount } from "./client";

const MOST_FILES = 200;
const CLIENTS = 24;

test("clients that open more connections than the process may: those that are there are served, and the log says it", async () => {
  const { apikey: key } = await newAccount();
  const product = await startProduct({ env: { DATABASE_URL: inject("databaseUrl") }, mostFiles: MOST_FILES });
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const callEach = (path: string) =>
    Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const sent = request(`${product.url}${path}`, { agent, headers: { authorization: `Bearer ${key}` } }).end();
        const [answer] = await once(sent, "response");
        return [answer.statusCode, await json(answer)];
      }),
    );
  try {
    const ready = Array.from({ length: CLIENTS }, () => [200, { status: "ready" }]);
    expect(await callEach("/readyz")).toEqual(ready);
    const { port } = new URL(product.url);
    const others = Array.from({ length: 2 * MOST_FILES }, () =>
      connect(Number(port), "127.0.0.1").on("error", () => {}),
    );
    await expect.poll(product.output).toContain('"cause":"connections_exhausted"');
    // Each of these needs a connection to the database that is not there yet.
    const lists = await callEach("/v1/apikeys");
    expect(lists.map(([status]) => status)).toEqual(ready.map(([status]) => status));
    expect(await callEach("/readyz")).toEqual(ready);
    for (const socket of others) socket.destroy();
    await expect.poll(() => fetch(`${product.url}/sign-in`).then(({ status }) => status, String)).toBe(200);
  } finally {
    agent.destroy();
    expect(await product.stop()).toBe(0);
  }
});
