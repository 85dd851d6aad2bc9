import { afterAll, beforeAll, expect, test } from "vitest";
import { Browser } from "../browser";
import { dataFolder } from "../data-folder";
import { GATEWAY_TOKEN, type Product, runToEnd, startProduct, type TemporaryFolder } from "../product";
import { callAt } from "./client";
import { FastClient } from "./raw";

const PROXY = "203.0.113.9";

let folder: TemporaryFolder;
let product: Product;
let owner: { account_id: string; email: string; apikey: string; password: string };
let other: string;
let token: string;

beforeAll(async () => {
  folder = await dataFolder();
  const DATA_DIR = folder.path;
  const print = async (name: string, ...args: string[]) =>
    JSON.parse((await runToEnd(name, args, { env: { DATA_DIR } })).stdout);
  owner = await print("account-create", "--email", "owner@example.com");
  ({ token } = await print("gateway-create", "--name", "eu-1"));
  product = await startProduct({ env: { DATA_DIR, TRUST_PROXY: "1", GATEWAY_TOKENS: GATEWAY_TOKEN } });
  const created = await callAt(product.url, "POST", "/v1/apikeys", { key: owner.apikey, body: { name: "n" } });
  other = created.body.apikey;
});
afterAll(async () => {
  expect(await product.stop()).toBe(0);
  await folder.remove();
});

/** The line of the log that has the id of an answer. */
async function lineOf({ headers }: { headers: Headers }): Promise<Record<string, unknown>> {
  const id = headers.get("request-id") ?? "none";
  await expect.poll(() => product.output()).toContain(id);
  const line = product
    .output()
    .split("\n")
    .find((each) => each.includes(id));
  return JSON.parse(line ?? "");
}

/** What a line says of the sender. */
const senderIn = ({ account, key, gateway, address }: Record<string, unknown>) => ({ account, key, gateway, address });

const from = (address: string) => ({ "x-forwarded-for": `198.51.100.1, ${address}` });

test("a key: its account, its id and the address of the client, also where it may not", async () => {
  const { account_id: account } = owner;
  const headers = from(PROXY);
  for (const [key, status] of [
    [owner.apikey, 200],
    [other, 403],
  ] as const) {
    const answer = await callAt(product.url, "GET", "/v1/apikeys", { key, headers });
    expect(answer.status).toBe(status);
    expect(senderIn(await lineOf(answer))).toEqual({ account, key: key.slice(0, 10), address: PROXY });
  }
  const trpc = await callAt(product.url, "GET", "/api/trpc/accounts.me", { key: owner.apikey, headers });
  expect(senderIn(await lineOf(trpc))).toEqual({ account, key: owner.apikey.slice(0, 10), address: PROXY });
});

test("a gateway: its name; an account that authorizes spend: its id and its key; also where they were known", async () => {
  const { account_id: account, apikey } = owner;
  const client = new FastClient();
  for (const [key, sender] of [
    [token, { gateway: "eu-1" }],
    [GATEWAY_TOKEN, { gateway: "GATEWAY_TOKENS" }],
    [apikey, { account, key: apikey.slice(0, 10) }],
  ] as const) {
    const body = { apikey: other, amount: 1 };
    const ask = () => client.send(product.url, "POST", "/v1/authorizations", key, { body, headers: from(PROXY) });
    const answers = [await ask(), await ask()];
    for (const { status, headers } of answers) {
      expect(status).toBe(200);
      const line = await lineOf({ headers: new Headers({ "request-id": `${headers["request-id"]}` }) });
      expect(senderIn(line)).toEqual({ ...sender, address: PROXY });
    }
  }
  client.close();
});

test("a browser: its account, from the sign-in on, and on pages", async () => {
  const { account_id: account } = owner;
  const browser = new Browser(product.url, from(PROXY));
  const wrong = await browser.signIn(owner.email, "not the password");
  // Who does not sign in is nobody.
  expect(senderIn(await lineOf(wrong))).toEqual({ address: PROXY });
  expect(senderIn(await lineOf(await browser.signIn(owner.email, owner.password)))).toEqual({
    account,
    address: PROXY,
  });
  expect(senderIn(await lineOf(await browser.get("/api/trpc/accounts.me")))).toEqual({ account, address: PROXY });
  expect(senderIn(await lineOf(await browser.post("/api/auth/sign-out")))).toEqual({ account, address: PROXY });
});

test("nobody: the address alone", async () => {
  const answer = await callAt(product.url, "GET", "/v1/apikeys", { key: "sk-nonsense", headers: from(PROXY) });
  expect(senderIn(await lineOf(answer))).toEqual({ address: PROXY });
  expect(senderIn(await lineOf(await callAt(product.url, "GET", "/v1/nowhere", { headers: from(PROXY) })))).toEqual({
    address: PROXY,
  });
});

test("a probe that finds all well: only at the level debug", async () => {
  for (const path of ["/healthz", "/readyz", "/metrics"]) expect((await fetch(product.url + path)).status).toBe(200);
  // Lines are written in the order of the answers.
  await lineOf(await callAt(product.url, "GET", "/v1/nowhere", {}));
  expect(product.output()).not.toMatch(/"path":"\/(healthz|readyz|metrics)"/);
  // What is not well is told.
  expect((await fetch(`${product.url}/metrics`, { method: "POST" })).status).toBe(405);
  await expect.poll(() => product.output()).toMatch(/"method":"POST","status":405,"path":"\/metrics"/);
});

/** What prints like Next.js does: a text with line feeds and other characters that end a line, and an error. */
const PRINTING = `process.on("SIGUSR2", () => {
  console.error("first\\n{\\"level\\":30,\\"msg\\":\\"forged\\"}\\r\\u2028\\u0085\\u001b[31mred", new Error("bad\\n{}"));
  console.log("%s printed", "a text");
  process.emitWarning("old\\nways");
})`;

test("what is printed, or sent by a client, is one line of JSON each", async () => {
  const own = await dataFolder();
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(PRINTING)}`;
  const noisy = await startProduct({ env: { DATA_DIR: own.path, TRUST_PROXY: "1", LOG_LEVEL: "debug", NODE_OPTIONS } });
  try {
    const forged = '{"level":30,"msg":"forged"}';
    for (const path of [`/v1/%0A${forged}`, `/%0a${forged}`, `/api/auth/%0A${forged}`, `/api/trpc/%0A${forged}?%0A`]) {
      await fetch(noisy.url + path, {
        headers: { "x-forwarded-for": `a\u0085${forged}`, "user-agent": `\u0085${forged}` },
      });
    }
    noisy.process.kill("SIGUSR2");
    await expect.poll(() => noisy.output()).toContain("a warning of Node.js");
  } finally {
    expect(await noisy.stop()).toBe(0);
    await own.remove();
  }
  const lines = noisy
    .output()
    .trimEnd()
    // These end a line for some programs.
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/);
  const logged = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  expect(lines.filter((line) => !line.startsWith("{")).join("\n")).toMatch(/^Allowance serves at .*\/docs$/s);
  expect(logged.filter(({ msg }) => msg === "forged")).toEqual([]);
  expect(logged).toContainEqual(expect.objectContaining({ level: 20, status: 200, path: "/healthz" }));
  const printed = (msg: string) => logged.filter((line) => line.msg === msg);
  expect(printed('first\n{"level":30,"msg":"forged"}\r\u2028\u0085red')).toMatchObject([
    { level: 50, err: { type: "Error", message: "bad\n{}" } },
  ]);
  expect(printed("a text printed")).toMatchObject([{ level: 30 }]);
  expect(printed("a warning of Node.js")).toMatchObject([{ level: 40, err: { message: "old\nways" } }]);
});
