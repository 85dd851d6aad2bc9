import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, expect, inject, test } from "vitest";
import { FastRequest, RequestReader } from "@/server/fast-path/request";
import { type Account, call, newAccount, newKey } from "./client";

let account: Account;
/** A key with a budget of 1. */
let small: string;
beforeAll(async () => {
  account = await newAccount();
  ({ apikey: small } = await newKey(account, { budget: 1 }));
});

/** A request: a body for `POST`; undefined for `GET`. */
type Sent = [path: string, fields: string[], body?: string];

/** Sends a request on a connection of its own, of the form that the fast path takes or of another, and returns the answer without what differs from answer to answer. */
async function send([path, fields, body]: Sent, isFast: boolean): Promise<string> {
  const socket = connect(Number(new URL(inject("productUrl")).port), "127.0.0.1");
  await once(socket, "connect");
  // Whoever asks node:http for the end of the connection gets it.
  const end = isFast ? "Connection: keep-alive" : "Connection: close";
  const method = body === undefined ? "GET" : "POST";
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const answer = text(socket);
  const head = [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1", ...fields, end, ...length].join("\r\n");
  const bytes = Buffer.from(`${head}\r\n\r\n${body ?? ""}`);
  const read = new RequestReader({ remoteAddress: undefined }, () => true).read(bytes);
  expect(read instanceof FastRequest).toBe(isFast);
  socket.write(bytes);
  // A client that sends nothing more gets its answer, and the end.
  if (isFast) socket.end();
  return (await answer)
    .replace(/^(Request-Id|Date): .+$/gm, "$1")
    .replace(/^(Connection|Keep-Alive): .+\r\n/gm, "")
    .replace(/^(RateLimit-\w+): \d+$/gm, "$1")
    .replace(/"(apikey_id|apikey|created_at|authorization_id|expires_at)":"[^"]*"/g, '"$1"');
}

const CHECK = "/v1/authorizations/check";
const LEFT = "Allowance-Scope: left";
const JSON_TYPE = "Content-Type: application/json";
const owner = () => `Authorization: Bearer ${account.apikey}`;

test.each<[string, number, () => Sent]>([
  ["a key is created", 201, () => ["/v1/apikeys", [owner(), JSON_TYPE], '{"name":"钥匙","budget":1.5}']],
  ["unknown parameters", 201, () => ["/v1/apikeys", [owner(), JSON_TYPE], '{"name":"n","budgett":1,"é\\r\\nA: b":2}']],
  ["a wrong value", 400, () => ["/v1/apikeys", [owner(), JSON_TYPE], '{"name":"n","budget":"x"}']],
  ["no JSON", 400, () => ["/v1/apikeys", [owner(), JSON_TYPE], "{"]],
  ["no body", 400, () => ["/v1/apikeys", [owner(), JSON_TYPE], ""]],
  ["another type", 400, () => ["/v1/apikeys", [owner(), "Content-Type: text/plain"], "{}"]],
  ["no key", 401, () => ["/v1/apikeys", [JSON_TYPE], "{}"]],
  ["an unknown key", 401, () => ["/v1/apikeys", ["Authorization: Bearer sk-0", JSON_TYPE], "{}"]],
  ["an unknown path", 404, () => ["/v1/nothing", [owner(), JSON_TYPE], "{}"]],
  ["another method", 405, () => ["/v1/allowance", [owner(), JSON_TYPE], "{}"]],
  [
    "an amount that the key does not have",
    200,
    () => [CHECK, [owner(), JSON_TYPE], JSON.stringify({ apikey: account.apikey, amount: 1 })],
  ],
  ["GET: a key with something left", 204, () => [CHECK, [owner(), `Allowance-Key: ${account.apikey}`, LEFT]]],
  ["GET: no amount", 400, () => [CHECK, [owner(), `Allowance-Key: ${account.apikey}`]]],
  ["GET: an unknown key of a caller", 401, () => [CHECK, [owner(), "Allowance-Key: sk-0", LEFT]]],
  ["GET: a call that is too large", 403, () => [CHECK, [owner(), `Allowance-Key: ${small}`, "Allowance-Amount: 2"]]],
  ["GET: what a key may spend", 200, () => ["/v1/allowance", [owner()]]],
  ["GET: a list", 200, () => ["/v1/apikeys", [owner()]]],
  ["GET: an unknown key", 401, () => ["/v1/allowance", ["Authorization: Bearer sk-0"]]],
])("%s: %i, the same answer as by node:http", async (_, status, request) => {
  const fast = await send(request(), true);
  const byNode = await send(request(), false);
  expect(fast).toBe(byNode);
  expect(fast).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test("a file, which is sent in parts, is left to node:http", async () => {
  expect(await call("GET", "/v1/history/export", { key: account.apikey })).toMatchObject({ status: 200 });
});

test.each([
  ["the fast path", { path: CHECK, method: "POST", body: "{}" }],
  ["node:http", { path: "/openapi.json", method: "GET" }],
])("%s tells clients that a connection stays open for longer than proxies keep one", async (_, { path, ...sent }) => {
  const headers = { authorization: `Bearer ${account.apikey}`, "content-type": "application/json" };
  const answer = await fetch(inject("productUrl") + path, { ...sent, headers });
  await answer.text();
  expect(Number(answer.headers.get("keep-alive")?.replace("timeout=", ""))).toBeGreaterThan(120);
});
