import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, expect, inject, test } from "vitest";
import { type Account, newAccount } from "./client";

let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

/** Sends a request on a connection of its own, and returns the answer without what differs from answer to answer. */
async function send(path: string, fields: readonly string[], body: string, isFast: boolean): Promise<string> {
  const socket = connect(Number(new URL(inject("productUrl")).port), "127.0.0.1");
  await once(socket, "connect");
  // Whoever asks node:http for the end of the connection gets it.
  const end = isFast ? "Connection: keep-alive" : "Connection: close";
  if (isFast) socket.once("data", () => socket.end());
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const answer = text(socket);
  socket.write(`${[`POST ${path} HTTP/1.1`, "Host: 127.0.0.1", ...fields, end, length].join("\r\n")}\r\n\r\n${body}`);
  return (await answer)
    .replace(/^(Request-Id|Date): .+$/gm, "$1")
    .replace(/^(Connection|Keep-Alive): .+\r\n/gm, "")
    .replace(/^(RateLimit-\w+): \d+$/gm, "$1")
    .replace(/"(apikey_id|apikey|created_at|authorization_id|expires_at)":"[^"]*"/g, '"$1"');
}

const JSON_TYPE = "Content-Type: application/json";
const owner = () => `Authorization: Bearer ${account.apikey}`;

test.each<[string, number, () => [path: string, fields: string[], body: string]]>([
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
    () => ["/v1/authorizations/check", [owner(), JSON_TYPE], JSON.stringify({ apikey: account.apikey, amount: 1 })],
  ],
])("%s: %i, the same answer as by node:http", async (_, status, request) => {
  const [path, fields, body] = request();
  const fast = await send(path, fields, body, true);
  const byNode = await send(path, fields, body, false);
  expect(fast).toBe(byNode);
  expect(fast).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});
