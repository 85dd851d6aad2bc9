import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, inject, test } from "vitest";
import { Allowance } from "@/clients/typescript/allowance";
import { temporaryFolder } from "../product";
import { newAccount } from "./client";
import { expectFiveCalls } from "./five-calls";
import { programOf } from "./readme-code";

test("the program in the README makes the five calls, and authorizes and captures", async () => {
  const account = await newAccount();
  const folder = await temporaryFolder();
  const outfile = `${folder.path}/program.mjs`;
  await build({
    stdin: {
      contents: programOf("clients/typescript/README.md", "ts", inject("productUrl")),
      loader: "ts",
      resolveDir: process.cwd(),
    },
    alias: { "allowance-client": resolve("clients/typescript/allowance.ts") },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  await promisify(execFile)(process.execPath, [outfile], { env: { ...process.env, KEY: account.apikey } });
  await expectFiveCalls(account);
  await folder.remove();
});

test("a refused call throws with its status, its sentence and its Request-Id; a hold can be voided", async () => {
  const { apikey: key } = await newAccount();
  const allowance = new Allowance({ baseUrl: inject("productUrl"), key });
  await expect(allowance.createKey({ name: "" })).rejects.toMatchObject({
    name: "AllowanceError",
    status: 400,
    message: "name: must not be empty",
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const { apikey } = await allowance.createKey({ name: "a key", budget: 1 });
  expect(await allowance.authorize({ apikey, amount: 2 })).toMatchObject({ allowed: false, code: "budget" });
  const held = await allowance.authorize({ apikey, amount: 1 });
  expect(await allowance.void(held.authorization_id ?? "")).toMatchObject({ state: "voided" });
});

describe("a busy server", () => {
  /** A client of a server that answers with these statuses, in order, and what was sent to it. */
  function clientOf(...statuses: number[]) {
    const sent: Record<string, unknown>[] = [];
    const answer = async (request: string | URL | Request) => {
      sent.push(await new Request(request).json());
      const status = statuses.shift() ?? 429;
      const headers = status === 200 ? {} : { "Retry-After": "0" };
      return Response.json({ success: status === 200, error: "busy" }, { status, headers });
    };
    return {
      sent,
      allowance: new Allowance({ baseUrl: "http://allowance.test", key: "a key", fetch: answer, retries: 2 }),
    };
  }

  test("is asked again after the time that it names, and no more often than said", async () => {
    const { sent, allowance } = clientOf(429, 429, 200);
    await expect(allowance.createGroup({ name: "Research" })).resolves.toMatchObject({ success: true });
    expect(sent).toEqual(Array(3).fill({ name: "Research" }));
    await expect(allowance.createGroup({ name: "Research" })).rejects.toMatchObject({ status: 429, message: "busy" });
    expect(sent).toHaveLength(6);
  });

  test("is asked again after 503 only for what has the same effect twice as once", async () => {
    const { sent, allowance } = clientOf(503, 503, 200, 503, 200, 503, 503);
    await allowance.authorize({ apikey: "a key", amount: 1 });
    expect(sent).toEqual(
      Array(3).fill({ apikey: "a key", amount: 1, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
    );
    expect(new Set(sent.map(({ request_id }) => request_id)).size).toBe(1);
    await allowance.setLimits("sk-AbC1234", { budget: 1 });
    await expect(allowance.createGroup({ name: "Research" })).rejects.toMatchObject({ status: 503 });
    const change = { budget: { multiply: 2 } };
    await expect(allowance.setGroupLimits("6920a1f0c3d4e5f60718293a", { change })).rejects.toMatchObject({
      status: 503,
    });
    expect(sent).toHaveLength(7);
  });

  test("is asked again after 503 for a check, which only reads", async () => {
    const { sent, allowance } = clientOf(503, 200);
    const body = { apikey: "a key", amount: 1 };
    const { response } = await allowance.client.POST("/v1/authorizations/check", { body });
    expect([response.status, sent]).toEqual([200, [body, body]]);
  });

  test("gets a request_id also where a program sends undefined as one", async () => {
    const { sent, allowance } = clientOf(503, 200);
    const unnamed: object = { request_id: undefined };
    await allowance.authorize({ apikey: "a key", amount: 1, ...unnamed });
    expect(sent).toEqual(
      Array(2).fill({ apikey: "a key", amount: 1, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
    );
  });
});

test("a call without an answer rejects with the error of fetch and is not made again; a name of the program's own holds once", async () => {
  const { apikey: key } = await newAccount();
  const baseUrl = inject("productUrl");
  const lost = new TypeError("fetch failed");
  let calls = 0;
  const losesTheFirst: typeof fetch = async (...asked) => {
    const answer = await fetch(...asked);
    calls += 1;
    if (calls === 1) throw lost;
    return answer;
  };
  const allowance = new Allowance({ baseUrl, key, fetch: losesTheFirst });
  const call = { apikey: key, amount: 1, request_id: "call-1" };
  await expect(allowance.authorize(call)).rejects.toBe(lost);
  expect(calls).toBe(1);
  expect(await allowance.authorize(call)).toMatchObject({ allowed: true, replayed: true });
});
