import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OFFERED } from "@/server/auth/sign-in-endpoint";
import { type Database, openDatabase } from "@/server/db/client";
import { openEmbedded } from "@/server/db/embedded";
import { Browser } from "../browser";
import { dataFolder } from "../data-folder";
import { newOwner, type Owner } from "../owner";
import { type Product, startProduct } from "../product";
import { me } from "./deployment";
import { type OidcProvider, oidcSettings, startOidcProvider } from "./oidc-provider";
import { CREATED, USED } from "./passkey-forms";

const PASSWORD = "a password of some length";

/** For each endpoint a body of the right form, and for those that read a query, a query. */
const FORMS: Record<string, object> = {
  "POST /sign-in/email": { email: "a@example.com", password: PASSWORD },
  "POST /sign-in/social": { provider: "oidc", callbackURL: "/keys" },
  "POST /link-social": { provider: "oidc", callbackURL: "/settings" },
  "GET /callback/oidc": { code: "code", state: "state" },
  "POST /sign-out": {},
  "POST /set-up": { token: "token", email: "a@example.com", password: PASSWORD },
  "POST /sign-up": { email: "a@example.com", password: PASSWORD },
  "POST /change-password": { currentPassword: PASSWORD, newPassword: PASSWORD, revokeOtherSessions: true },
  "POST /two-factor/enable": { password: PASSWORD },
  "POST /two-factor/disable": { password: PASSWORD },
  "POST /two-factor/verify-totp": { code: "123456" },
  "POST /two-factor/verify-backup-code": { code: "abcde-abcde" },
  "POST /two-factor/generate-backup-codes": { password: PASSWORD },
  "GET /passkey/generate-register-options": { name: "a name" },
  "POST /passkey/verify-registration": { response: CREATED, name: "a name" },
  "GET /passkey/generate-authenticate-options": {},
  "POST /passkey/verify-authentication": { response: USED },
  "POST /prove/password": { password: PASSWORD },
  "POST /prove/passkey": { response: USED },
};

/** Values that fit nowhere, or nearly nowhere. */
const WRONG = [undefined, null, 5, "", "\0", "\ud800", "x".repeat(20_000), ["a"], { a: { b: 1 } }];

/** Each copy of a form in which one value, at any depth, is a wrong one. */
function* spoilt(form: object): Generator<[string, object]> {
  for (const [name, value] of Object.entries(form)) {
    for (const wrong of WRONG) {
      const shown = JSON.stringify(wrong)?.slice(0, 20) ?? "absent";
      yield [`${name}: ${shown}`, { ...form, [name]: wrong }];
    }
    if (value instanceof Object && !Array.isArray(value)) {
      for (const [inner, spoiltValue] of spoilt(value)) yield [`${name}.${inner}`, { ...form, [name]: spoiltValue }];
    }
  }
}

const RAW_BODIES: [string, string, Record<string, string>][] = [
  ["no body", "", { "content-type": "application/json" }],
  ["half a body", '{"email":', { "content-type": "application/json" }],
  ["a list", "[]", { "content-type": "application/json" }],
  ["null", "null", { "content-type": "application/json" }],
  ["a text", '"x"', { "content-type": "application/json" }],
  ["no content type", "{}", { "content-type": "" }],
  ["a form", "email=a", { "content-type": "application/x-www-form-urlencoded" }],
  ["another charset", "{}", { "content-type": "application/json; charset=utf-16" }],
];

let provider: OidcProvider;
let product: Product;
let db: Database;
let account: Owner;
/** The browser of all tests that are signed in. To sign in is slow on purpose. */
let signedIn: Browser;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  const folder = await dataFolder();
  provider = await startOidcProvider();
  product = await startProduct({
    env: {
      DATA_DIR: folder.path,
      SIGN_UP: "open",
      ...(await oidcSettings(provider)),
    },
  });
  const embedded = await openEmbedded(folder.path, "command", pino({ level: "silent" }));
  db = openDatabase(embedded.url);
  closers.push(
    () => db.close(),
    () => embedded.close(),
    () => product.stop(),
    () => provider.stop(),
    () => folder.remove(),
  );
  account = await newOwner(db);
  signedIn = new Browser(product.url);
});
afterAll(async () => {
  for (const close of closers) await close();
});

test("every endpoint has its form here", () => {
  expect(Object.keys(FORMS).sort()).toEqual([...OFFERED].sort());
});

describe.each(Object.entries(FORMS))("%s", (endpoint, form) => {
  const [method = "", path = ""] = endpoint.split(" ");

  test.each([false, true])("no value of a wrong form is a fault of the server (signed in: %s)", async (isSignedIn) => {
    const faults: unknown[] = [];
    const browser = isSignedIn ? signedIn : new Browser(product.url);
    for (const [what, spoiltForm] of spoilt(form)) {
      await prepare(browser, path);
      const { status, body } =
        method === "GET"
          ? await browser.get(`/api/auth${path}?${queryOf(spoiltForm)}`)
          : await browser.post(`/api/auth${path}`, spoiltForm);
      if (status >= 500 || status === 429) faults.push([what, status, body]);
    }
    expect(faults).toEqual([]);
    await prepare(browser, path);
    expect((await me(browser)).status).toBe(isSignedIn ? 200 : 401);
  });

  if (method === "POST") {
    test.each(RAW_BODIES)("%s is 400", async (_, body, headers) => {
      const response = await fetch(`${product.url}/api/auth${path}`, { method, body: Buffer.from(body), headers });
      expect([response.status, await response.json()]).toEqual([
        400,
        {
          success: false,
          error: expect.stringMatching(/^(body|Content-Type): /),
          code: expect.stringMatching(/^[a-z0-9_]+$/),
        },
      ]);
    });
  }
});

describe("400 names the parameter", () => {
  const none = "received nothing";
  test.each([
    ["/sign-in/email", { email: {}, password: PASSWORD }, "email: expected string, received object"],
    ["/sign-in/email", {}, `email: expected string, ${none}; password: expected string, ${none}`],
    ["/sign-in/email", { email: "a@b.c", password: 5 }, "password: expected string, received number"],
    ["/change-password", { currentPassword: [] }, /currentPassword: expected string, received array/],
    ["/two-factor/verify-totp", { code: 123456 }, "code: expected string, received number"],
    ["/passkey/verify-authentication", { response: "half" }, "response: expected object, received string"],
    [
      "/passkey/verify-authentication",
      { response: { id: "AAAA" } },
      /response\.response: expected object, received nothing/,
    ],
    [
      "/passkey/verify-registration",
      { response: { ...CREATED, response: null } },
      /response\.response: expected object, received null/,
    ],
  ])("%s %j", async (path, sent, message) => {
    await prepare(signedIn, path);
    const { status, body } = await signedIn.post(`/api/auth${path}`, sent);
    expect([status, body]).toEqual([
      400,
      {
        success: false,
        error: typeof message === "string" ? message : expect.stringMatching(message),
        code: "INVALID_INPUT",
        faults: expect.arrayContaining([expect.objectContaining({ code: "wrong_type" })]),
      },
    ]);
  });
});

test.each([
  ["", "name: must not be empty"],
  ["x".repeat(129), "name: must be at most 128 characters long"],
])("the name %j of a new passkey is judged like one that is changed", async (name, message) => {
  await prepare(signedIn, "/passkey/verify-registration");
  const created = await signedIn.post("/api/auth/passkey/verify-registration", { response: CREATED, name });
  expect([created.status, created.body.error]).toEqual([400, message]);
  const changed = await signedIn.post("/api/trpc/accounts.renamePasskey", { passkey_id: "x", name });
  expect([changed.status, changed.body.error.message]).toEqual([400, message]);
});

/** A fresh count of attempts, a session where the last request has ended it, and the challenge of a passkey. */
async function prepare(browser: Browser, path: string): Promise<void> {
  await db.pool.query("DELETE FROM rate_limit");
  if (browser === signedIn && !browser.cookies.has("allowance.session_token")) {
    expect((await browser.signIn(account.email, account.password)).status).toBe(200);
  }
  if (path === "/passkey/verify-registration") await browser.get("/api/auth/passkey/generate-register-options");
  if (path === "/passkey/verify-authentication" || path === "/prove/passkey")
    await browser.get("/api/auth/passkey/generate-authenticate-options");
}

function queryOf(form: object): string {
  const texts = Object.entries(form).filter(([, value]) => value !== undefined);
  return texts.map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`).join("&");
}
