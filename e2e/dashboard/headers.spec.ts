import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "playwright/test";
import { type Product, startProduct } from "../product";
import { type Account, test } from "./account";

const url = process.env.PRODUCT_URL ?? "";

/** One kind of answer: what it is, its status, and how to ask for it. */
type Case = [what: string, status: number, path: string, init?: RequestInit];

const key = (account: Account) => ({ authorization: `Bearer ${account.apikey}` });
const json = { "content-type": "application/json" };

/** What is no page: a browser that shows it as one loads nothing and runs nothing. */
function dataOf(account: Account): Case[] {
  return [
    ["an answer of the API", 200, "/v1/apikeys", { headers: key(account) }],
    ["an answer without a key", 401, "/v1/apikeys"],
    ["an unknown path of the API", 404, "/v1/nothing"],
    ["another method", 405, "/v1/apikeys", { method: "DELETE" }],
    [
      "a body that is no JSON",
      400,
      "/v1/apikeys",
      { method: "POST", headers: { ...key(account), ...json }, body: "{" },
    ],
    [
      "a body that is too large",
      413,
      "/v1/apikeys",
      { method: "POST", headers: { ...key(account), ...json }, body: "x".repeat(70_000) },
    ],
    ["an export of the API", 200, "/v1/apikeys/export", { headers: key(account) }],
    ["a procedure", 200, "/api/trpc/accounts.me", { headers: key(account) }],
    ["a procedure without a session", 401, "/api/trpc/accounts.me"],
    ["an unknown procedure", 404, "/api/trpc/no.such"],
    [
      "a sign-in that fails",
      401,
      "/api/auth/sign-in/email",
      { method: "POST", headers: json, body: '{"email":"a@example.com","password":"x"}' },
    ],
    ["an unknown path of the sign-in", 404, "/api/auth/nothing"],
    ["the document of the reference", 200, "/openapi.json"],
    ["the health", 200, "/healthz"],
    ["the readiness", 200, "/readyz"],
    ["the metrics", 200, "/metrics"],
    ["the icon", 200, "/icon.svg"],
    ["a file of the build that is not there", 404, "/_next/static/nothing.js"],
  ];
}

const PAGES: Case[] = [
  ["a page", 200, "/sign-in"],
  ["the reference", 200, "/docs"],
  ["an unknown page", 404, "/nowhere"],
  ["a path that cannot be decoded", 404, "/%"],
  ["a redirect to the sign-in", 307, "/keys"],
  ["a redirect to another form of the path", 308, "/sign-in/"],
  ["an export without a session", 401, "/keys/export"],
  ["an export with a wrong filter", 400, "/keys/export?status=none"],
];

const EVERYWHERE = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-powered-by": null,
};

function expectHeaders(what: string, headers: Headers, policy: RegExp): void {
  const found = Object.fromEntries(Object.keys(EVERYWHERE).map((name) => [name, headers.get(name)]));
  expect([what, found]).toEqual([what, EVERYWHERE]);
  expect(headers.get("content-security-policy"), what).toMatch(policy);
  expect(headers.get("content-security-policy"), what).toContain("frame-ancestors 'none'");
}

/** Sends bytes as they are. */
async function send(bytes: string): Promise<{ status: number; headers: Headers; body: string }> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(bytes);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(": ") as [string, string]));
  return { status: Number(first.split(" ")[1]), headers, body };
}

const ask = (path: string, init: RequestInit = {}, base = url) => fetch(base + path, { redirect: "manual", ...init });

test("every answer that is no page has its headers", async ({ account }) => {
  for (const [what, status, path, init] of dataOf(account)) {
    const answer = await ask(path, init);
    expect([what, answer.status]).toEqual([what, status]);
    expectHeaders(what, answer.headers, /^default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'/);
    expect(answer.headers.get("strict-transport-security"), what).toBe(null);
  }
});

test("every answer that is a page has its headers, and no script without a nonce", async () => {
  for (const [what, status, path, init] of PAGES) {
    const answer = await ask(path, init);
    expect([what, answer.status]).toEqual([what, status]);
    expectHeaders(what, answer.headers, /; script-src 'self' 'nonce-[A-Za-z0-9+/]{22}=='; script-src-attr 'none';/);
    expect(answer.headers.get("content-security-policy"), what).not.toMatch(/(script|style)-src [^;]*unsafe/);
    expect(answer.headers.get("permissions-policy"), what).toContain("camera=()");
  }
});

test("a file of the build, also one that the browser has already", async () => {
  const [, path = ""] = /src="(\/_next\/static\/[^"]+\.js)"/.exec(await (await ask("/sign-in")).text()) ?? [];
  const first = await ask(path);
  expect(first.status).toBe(200);
  expectHeaders("a file", first.headers, /^default-src 'none'/);
  expect(first.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  // `fetch` would add `Cache-Control: no-cache`.
  const again = await send(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: gzip\r\nIf-None-Match: ${first.headers.get("etag")}\r\n\r\n`,
  );
  expect([again.status, again.headers.get("x-content-type-options")]).toEqual([304, "nosniff"]);
  const beyond = await ask(path, { headers: { range: "bytes=999999999-" } });
  expect([beyond.ok, beyond.headers.get("x-content-type-options")]).toEqual([false, "nosniff"]);
});

test("a file that is exported has its headers", async ({ account, context }) => {
  await account.newKey("a key");
  for (const path of ["/keys/export", "/usage/export?from=2026-01-01&to=2026-01-31&by=group"]) {
    const answer = await context.request.get(url + path);
    expect([path, answer.status(), answer.headers()["content-type"]]).toEqual([path, 200, "text/csv; charset=utf-8"]);
    expect(answer.headers()["cache-control"]).toBe("no-store");
    expectHeaders(path, new Headers(answer.headers()), /script-src 'self' 'nonce-/);
  }
});

for (const [what, status, bytes] of [
  ["nonsense", 400, "nonsense\r\n\r\n"],
  ["no Host", 400, "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["two Hosts", 400, "GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n"],
  ["an unknown expectation", 417, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: a miracle\r\n\r\n"],
  ["headers without end", 431, `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(40_000)}\r\n\r\n`],
  ["no path", 400, "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
] as const) {
  test(`what never reaches a handler has its headers: ${what}`, async () => {
    const answer = await send(bytes);
    expect(answer.status).toBe(status);
    expectHeaders(what, answer.headers, /^default-src 'none'/);
    expect(JSON.parse(answer.body)).toEqual({ success: false, error: expect.any(String) });
  });
}

test.describe("without a database, at an address with https", () => {
  let product: Product;
  test.beforeAll(async () => {
    const env = { DATABASE_URL: "postgresql://nobody:x@127.0.0.1:1/none", PUBLIC_URL: "https://keys.example.com" };
    product = await startProduct({ env: { ...env, AUTH_SECRET: "a secret of this test, which is long enough" } });
  });
  test.afterAll(() => product.stop());

  test("every answer tells browsers to stay with https", async () => {
    const value = `Bearer sk-${"a".repeat(45)}`;
    for (const [status, path, init] of [
      [503, "/readyz", {}],
      [401, "/api/trpc/accounts.me", { headers: { cookie: "__Host-allowance.session_token=none.none" } }],
      [401, "/v1/apikeys", { headers: { authorization: value } }],
      [200, "/sign-in", {}],
      [404, "/_next/static/nothing.js", {}],
    ] as const) {
      const answer = await ask(path, init, product.url);
      expect([path, answer.headers.get("strict-transport-security")]).toEqual([
        path,
        "max-age=31536000; includeSubDomains",
      ]);
      expect([path, answer.headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
      expect([path, answer.status]).toEqual([path, status]);
    }
  });
});
