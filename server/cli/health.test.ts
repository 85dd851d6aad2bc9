import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

async function check(env: Record<string, string>) {
  const child = spawn(process.execPath, ["server/cli/health.mjs"], { env: { ...process.env, ...env } });
  const [[code], stdout, stderr] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

async function serve(answer: RequestListener, host: string) {
  const server = createServer(answer).listen(0, host);
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, "listening");
  return String((server.address() as AddressInfo).port);
}

for (const [HOST, own] of [
  ["", "127.0.0.1"],
  ["0.0.0.0", "127.0.0.1"],
  ["::", "127.0.0.1"],
  ["::1", "::1"],
] as const) {
  test(`a server that listens at HOST=${HOST} and answers is healthy`, async () => {
    const asked: unknown[] = [];
    const PORT = await serve(({ url }, response) => {
      asked.push(url);
      response.end("ok\n");
    }, own);
    expect(await check({ HOST, PORT })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(asked).toEqual(["/healthz"]);
  });
}

test("nothing listens: one line, exit 1", async () => {
  // The port of discard: `fetch` refuses it, and nobody listens there.
  expect(await check({ HOST: "127.0.0.1", PORT: "9" })).toEqual({
    ...{ code: 1, stdout: "" },
    stderr: "the server at 127.0.0.1, port 9, is not healthy: ECONNREFUSED\n",
  });
});

test("a server that answers something else, or too late: one line, exit 1", async () => {
  const failing = await serve((_, response) => response.writeHead(500).end(), "127.0.0.1");
  const silent = await serve(() => {}, "127.0.0.1");
  const [other, late] = await Promise.all([check({ HOST: "", PORT: failing }), check({ HOST: "", PORT: silent })]);
  expect([other.code, other.stderr]).toEqual([
    1,
    `the server at 127.0.0.1, port ${failing}, is not healthy: answered 500\n`,
  ]);
  expect([late.code, late.stderr]).toEqual([
    1,
    `the server at 127.0.0.1, port ${silent}, is not healthy: did not answer within 4 seconds\n`,
  ]);
});
