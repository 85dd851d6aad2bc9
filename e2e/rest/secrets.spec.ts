import { randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "@/server/db/client";
import { openEmbedded } from "@/server/db/embedded";
import { Browser, totpCode } from "../browser";
import { type Product, runToEnd, startProduct, temporaryFolder } from "../product";
import { superuserUrl } from "../superuser";
import { callAt } from "./client";
import { type Collector, startCollector } from "./fake-collector";
import { type OidcProvider, oidcSettings, startOidcProvider } from "./oidc-provider";

// Canaries stand in every place where a secret can appear. They go through the running product, in requests that succeed
// and in requests that fail, also in the database. Then everything that was written down is searched for them.

/** Every secret that was planted, by what it is. */
const planted = new Map<string, string>();
/** The one secret that is printed on purpose, on a line of the start. */
let setUpToken = "";

const plant = (what: string, secret: string): string => {
  expect(secret.length, what).toBeGreaterThanOrEqual(6);
  planted.set(what, secret);
  return secret;
};
const canary = (what: string): string => plant(what, `canary${randomBytes(24).toString("hex")}`);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let provider: OidcProvider;
let collector: Collector;
let product: Product;
let embedded: Awaited<ReturnType<typeof openEmbedded>>;
let db: Database;
let addresses = 0;

const browser = () => new Browser(product.url, { "x-forwarded-for": `198.51.100.${++addresses}` });
const call = (method: string, path: string, options: Parameters<typeof callAt>[3] = {}) =>
  callAt(product.url, method, path, options);

beforeAll(async () => {
  folder = await temporaryFolder();
  provider = await startOidcProvider();
  collector = await startCollector();
  product = await startProduct({
    env: {
      DATA_DIR: folder.path,
      ...(await oidcSettings(provider)),
      LOG_LEVEL: "debug",
      TRUST_PROXY: "1",
      SIGN_UP: "open",
      AUTH_SECRET: canary("AUTH_SECRET"),
      GATEWAY_TOKENS: `${canary("a token in GATEWAY_TOKENS")},${canary("another token in GATEWAY_TOKENS")}`,
      OIDC_CLIENT_SECRET: canary("OIDC_CLIENT_SECRET"),
      METRICS_TOKEN: canary("METRICS_TOKEN"),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${canary("a header for the collector")}`,
    },
  });
  embedded = await openEmbedded(folder.path, "command", pino({ level: "silent" }));
  db = openDatabase(await superuserUrl(folder.path));
  plant("the password of the database", new URL(embedded.url).password);
  setUpToken = plant("the token of the set-up link", /set-up\?token=([\w-]+)/.exec(product.output())?.[1] ?? "");
  await useEverything();
  for (const change of FAULTS) await withFault(change, useEverythingAgain);
}, 300_000);

afterAll(async () => {
  await db.close();
  await embedded.close();
  expect(await product.stop()).toBe(0);
  provider.stop();
  collector.close();
  await folder.remove();
});

const owner = { email: "owner@example.com", password: "", apikey: "", secret: "" };
let apikey = "";
let token = "";

/** Makes an account through the set-up link, and does with it whatever has to do with a secret, rightly and wrongly. */
async function useEverything(): Promise<void> {
  owner.password = canary("the first password");
  const at = browser();
  const { email, password } = owner;
  for (const body of [
    { token: setUpToken, email: password, password: setUpToken },
    { token: [setUpToken], password },
  ]) {
    expect((await at.post("/api/auth/set-up", body)).status).toBe(400);
  }
  const created = await at.post("/api/auth/set-up", { token: setUpToken, email, password });
  expect(created.status).toBe(200);
  owner.apikey = plant("the default key", created.body.apikey);
  plantCookies(at, "the set-up");

  await passwords();
  await secondFactor();
  await singleSignOn();
  await keys();
  await gateways();
}

/** The cookie as a whole, and of the log also its token alone. */
function plantCookies({ cookies }: Browser, of: string): void {
  for (const [name, value] of cookies) plant(`the cookie ${name} of ${of}`, decodeURIComponent(value));
}

async function passwords(): Promise<void> {
  const wrong = canary("a wrong password");
  const { email, password } = owner;
  const at = browser();
  for (const body of [
    { email, password: wrong },
    { email: wrong, password },
    { email: { password }, password: [wrong] },
    { email, password: { $ne: wrong } },
    { [wrong]: password, email },
  ]) {
    expect((await at.post("/api/auth/sign-in/email", body)).status).not.toBe(200);
  }
  await at.post(`/api/auth/${password}?password=${wrong}`, {});
  await at.get(`/api/auth/sign-in/email?password=${password}`);
  expect((await at.signIn(email, password)).status).toBe(200);
  plantCookies(at, "a sign-in");
  const next = canary("the second password");
  const change = (currentPassword: string, newPassword: unknown) =>
    at.post("/api/auth/change-password", { currentPassword, newPassword, revokeOtherSessions: true });
  expect((await change(wrong, next)).status).not.toBe(200);
  expect((await change(password, { next })).status).not.toBe(200);
  expect((await change(password, next)).status).toBe(200);
  owner.password = next;
  plantCookies(at, "a change of the password");
  const recovered = canary("the password of a recovery");
  const { code } = await runToEnd("account-recover", ["--email", email, "--password-stdin"], {
    env: { DATA_DIR: folder.path },
    input: `${recovered}\n`,
  });
  expect(code).toBe(0);
  owner.password = recovered;
}

async function secondFactor(): Promise<void> {
  const { email, password } = owner;
  const at = browser();
  await at.signIn(email, password);
  const { body } = await at.post("/api/auth/two-factor/enable", { password });
  owner.secret = plant("the secret of the second factor", new URL(body.totpURI).searchParams.get("secret") ?? "");
  for (const [i, code] of (body.backupCodes as string[]).entries()) plant(`backup code ${i}`, code);
  const code = (what: string, ahead = 0) => plant(what, totpCode(owner.secret, Date.now() + ahead));
  const verify = (to: Browser, given: unknown) => to.post("/api/auth/two-factor/verify-totp", { code: given });
  expect((await verify(at, code("the first code"))).status).toBe(200);
  plantCookies(at, "a second factor");
  const second = browser();
  await second.signIn(email, password);
  plantCookies(second, "a waiting sign-in");
  expect((await verify(second, { code: body.backupCodes[1] })).status).not.toBe(200);
  const [wrong] = body.backupCodes;
  expect((await verify(second, wrong)).status).not.toBe(200);
  expect((await verify(second, code("the second code", 30_000))).status).toBe(200);
  plantCookies(second, "a second sign-in");
  const third = browser();
  await third.signIn(email, password);
  const used = await third.post("/api/auth/two-factor/verify-backup-code", { code: body.backupCodes[2] });
  expect(used.status).toBe(200);
  const renewed = await third.post("/api/auth/two-factor/generate-backup-codes", { password });
  for (const [i, one] of (renewed.body.backupCodes as string[]).entries()) plant(`renewed backup code ${i}`, one);
  expect((await third.get("/api/trpc/accounts.me")).status).toBe(200);
}

async function singleSignOn(): Promise<void> {
  const at = browser();
  const start = () => at.post("/api/auth/sign-in/social", { provider: "oidc", callbackURL: "/keys" });
  const back = new URL(
    provider.agree((await start()).body.url, { sub: randomUUID(), email: "sso@example.com", email_verified: true }),
  );
  plant("the code of the provider", back.searchParams.get("code") ?? "");
  expect((await at.get(back.pathname + back.search)).status).toBe(302);
  plantCookies(at, "a single sign-on");
  // The provider does not know this code.
  const state = new URL((await start()).body.url).searchParams.get("state") ?? "";
  const query = new URLSearchParams({ code: canary("a wrong code of the provider"), state });
  await at.get(`/api/auth/callback/oidc?${query}`);
  await at.get(`/api/auth/callback/oidc?code=${canary("a code without a state")}`);
  await at.get(`/api/auth/callback/oidc?error=${canary("a secret in an error")}&state=${state}`);
}

async function keys(): Promise<void> {
  const key = owner.apikey;
  const made = await call("POST", "/v1/apikeys", { key, body: { name: "n", budget: 100 } });
  expect(made.status).toBe(201);
  apikey = plant("a key", made.body.apikey);
  const id = apikey.slice(0, 10);
  const rotated = await call("POST", `/v1/apikeys/${id}/rotate`, { key, body: { grace_seconds: 60 } });
  apikey = plant("a rotated key", rotated.body.apikey);
  await call("POST", `/v1/apikeys/${apikey}/budget`, { key, body: { budget: apikey } });
  await call("POST", "/v1/apikeys", { key, body: { budget: key, group_id: apikey } });
  await call("POST", "/v1/apikeys", {
    key,
    raw: `{"name": "${apikey}`,
    headers: { "content-type": "application/json" },
  });
  await call("GET", `/v1/${apikey}?key=${key}`, { key: apikey });
  await call("GET", `/v1/apikeys?search=${apikey}&sort=${apikey}`, { key });
  await call("GET", "/v1/apikeys", { key: `${apikey}x`, headers: { referer: `http://x/${apikey}` } });
  await call("GET", "/v1/apikeys", { headers: { "x-forwarded-for": apikey, "x-api-key": apikey } });
  await call("GET", `/api/trpc/keys.list?input=${encodeURIComponent(JSON.stringify({ sort: apikey }))}`, { key });
  await call("POST", `/api/trpc/keys.${apikey}`, { key, body: { apikey } });
  await call("POST", "/v1/authorizations", { key, body: { apikey, amount: apikey } });
  await call("POST", "/v1/authorizations", { key, body: { apikey: `${apikey.slice(0, -1)}!`, amount: 1 } });
  expect((await call("POST", "/v1/authorizations", { key, body: { apikey, amount: 1 } })).body.allowed).toBe(true);
  const headers = { "allowance-key": `Bearer ${apikey}`, "allowance-amount": "1" };
  expect((await call("GET", "/v1/authorizations/check", { key, headers })).status).toBe(204);
}

async function gateways(): Promise<void> {
  const { stdout } = await runToEnd("gateway-create", ["--name", "eu-1"], { env: { DATA_DIR: folder.path } });
  token = plant("the token of a gateway", JSON.parse(stdout).token);
  await spendAs(token, 200);
  await spendAs(planted.get("a token in GATEWAY_TOKENS") ?? "", 200);
  await spendAs(canary("a token that nobody has given out"), 401);
  await call("GET", "/v1/apikeys", { key: token });
  await call("POST", "/v1/authorizations", { key: owner.apikey, body: { apikey: token, amount: 1 } });
}

async function spendAs(key: string, status: number): Promise<void> {
  expect((await call("POST", "/v1/authorizations", { key, body: { apikey, amount: 1 } })).status).toBe(status);
}

/** Ways to break the database: the statement, and the one that mends it. Some errors of PostgreSQL quote a whole row. */
const FAULTS: [string, string][] = [
  ...["session", "api_key", "earlier_value", "gateway_token", "two_factor", "verification", "sign_in_method"].flatMap(
    (table): [string, string][] => [
      [`ALTER TABLE ${table} RENAME TO away`, `ALTER TABLE away RENAME TO ${table}`],
      [
        `ALTER TABLE ${table} ADD CONSTRAINT never CHECK (false) NOT VALID`,
        `ALTER TABLE ${table} DROP CONSTRAINT never`,
      ],
    ],
  ),
];

async function withFault([breaking, mending]: [string, string], use: () => Promise<void>): Promise<void> {
  await db.pool.query(breaking);
  try {
    await use();
  } finally {
    await db.pool.query(mending);
  }
}

/** The requests that write or look up a secret. What they answer while the database is broken does not matter here. */
async function useEverythingAgain(): Promise<void> {
  const { email, password, apikey: key } = owner;
  const at = browser();
  await at.signIn(email, password);
  await at.post("/api/auth/two-factor/verify-totp", { code: totpCode(owner.secret) });
  const email2 = `${randomUUID()}@example.com`;
  const another = browser();
  const signedUp = await another.post("/api/auth/sign-up", {
    email: email2,
    password: canary(`password of ${email2}`),
  });
  if (signedUp.status === 200) plant(`default key of ${email2}`, signedUp.body.apikey);
  plantCookies(another, email2);
  await another.post("/api/auth/change-password", {
    currentPassword: password,
    newPassword: canary(`next of ${email2}`),
  });
  const made = await call("POST", "/v1/apikeys", { key, body: { name: "n" } });
  if (made.status === 201) plant(`key ${planted.size}`, made.body.apikey);
  await call("POST", `/v1/apikeys/${apikey.slice(0, 10)}/rotate`, { key, body: { grace_seconds: 60 } });
  await call("POST", "/v1/authorizations", { key: token, body: { apikey, amount: 1 } });
  const state = await at.post("/api/auth/sign-in/social", { provider: "oidc", callbackURL: "/keys" });
  expect(state.status).toBeGreaterThanOrEqual(200);
}

/** The forms in which a secret could stand somewhere: as it is, and encoded. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [...new Set([secret, encodeURIComponent(secret), bytes.toString("hex"), bytes.toString("base64")])];
}

/** What was found in a text: never the secret itself. */
function foundIn(text: string): string[] {
  return [...planted]
    .filter(([, secret]) =>
      // Six digits may be a part of another number.
      /^\d{6}$/.test(secret)
        ? new RegExp(`\\b${secret}\\b`).test(text)
        : formsOf(secret).some((form) => text.includes(form)),
    )
    .map(([what]) => what);
}

test("the requests failed where they should, so that there was something to leak", async () => {
  expect(planted.size).toBeGreaterThan(60);
  await expect.poll(() => product.output()).toMatch(/"status":500/);
});

test("the log: no secret, and each line is JSON but those of the start", async () => {
  const lines = product.output().trimEnd().split("\n");
  const start = lines.filter((line) => !line.startsWith("{"));
  // The set-up link is printed for the person at the terminal. It is used up by now.
  expect(start.filter((line) => line.includes(setUpToken))).toHaveLength(1);
  expect(foundIn(start.filter((line) => !line.includes(setUpToken)).join("\n"))).toEqual([]);
  const logged = lines.filter((line) => line.startsWith("{"));
  expect(logged.length).toBeGreaterThan(100);
  for (const line of logged) expect(JSON.parse(line)).toHaveProperty("level");
  expect(logged.flatMap((line) => foundIn(line).map((what) => `${what}: ${JSON.parse(line).msg}`))).toEqual([]);
  expect(start.length).toBeLessThan(12);
  // A part of a cookie or of a key is enough for nobody, but belongs here as little.
  for (const [what, secret] of planted) {
    if (what.startsWith("the cookie")) expect(logged.join("\n"), what).not.toContain(secret.split(".")[0]);
    if (/key/.test(what)) expect(logged.join("\n"), what).not.toContain(secret.slice(10, 30));
  }
});

test("metrics and traces: no secret", async () => {
  const key = planted.get("METRICS_TOKEN") ?? "";
  expect((await fetch(`${product.url}/metrics`, { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
  const metrics = await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  expect(foundIn(await metrics.text())).toEqual([]);
  // Spans are sent in the order in which they end, so that all are there when this one is.
  const last = randomBytes(16).toString("hex");
  await call("GET", "/v1/apikeys", { headers: { traceparent: `00-${last}-00f067aa0ba902b7-01` } });
  await expect.poll(() => collector.received().includes(Buffer.from(last, "hex"))).toBe(true);
  expect(collector.spans().length).toBeGreaterThan(500);
  expect(foundIn(collector.received().toString("latin1"))).toEqual([]);
});

test("the database: no secret in any column of any table", async () => {
  const { rows: tables } = await db.pool.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
      WHERE relkind IN ('r', 'p', 'm') AND relnamespace = 'public'::regnamespace`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.pool.query<{ row: string }>(`SELECT one::text AS row FROM ${name} AS one`);
    for (const what of foundIn(rows.map(({ row }) => row).join("\n"))) found.push(`${name}: ${what}`);
  }
  expect(found).toEqual([]);
  // The tokens of the provider are not stored at all.
  const { rows } = await db.pool.query(
    "SELECT access_token, refresh_token, id_token FROM sign_in_method WHERE provider_id <> 'credential'",
  );
  expect(rows).toEqual([{ access_token: null, refresh_token: null, id_token: null }]);
});

test("PostgreSQL's log: no secret, no statement, no row", async () => {
  // PostgreSQL's settings leave errors out of its log. With them, it must not quote the row either.
  const client = await db.pool.connect();
  try {
    await client.query("SET log_min_messages = 'error'");
    await client.query("ALTER TABLE verification ADD CONSTRAINT never CHECK (false) NOT VALID");
    const values = [randomUUID(), canary("a value that the database refuses")];
    const insert = "INSERT INTO verification (id, identifier, value, expires_at) VALUES ($1, $2, $2, now())";
    await expect(client.query(insert, values)).rejects.toThrow("never");
  } finally {
    await client.query("ALTER TABLE verification DROP CONSTRAINT never");
    client.release(true);
  }
  const log = () => readFile(join(folder.path, "postgres.log"), "utf8");
  await expect.poll(log).toContain("ERROR:");
  const text = await log();
  expect(foundIn(text)).toEqual([]);
  expect(text).not.toMatch(/STATEMENT:|DETAIL:|CONTEXT:/);
});

test("a DATABASE_URL that does not work: its password is not told", async () => {
  const secret = canary("the password in DATABASE_URL");
  const url = new URL(embedded.url);
  url.password = secret;
  const other = await temporaryFolder();
  const env = { DATA_DIR: other.path, LOG_LEVEL: "debug", LOG_FORMAT: "pretty" };
  try {
    const refused = await startProduct({ env: { ...env, DATABASE_URL: url.href } });
    await expect.poll(() => refused.output()).toContain("the database refuses the user or the password");
    await refused.stop();
    expect(foundIn(refused.output())).toEqual([]);
    const DATABASE_URL = `postgresql://allowance:${secret}@[nonsense/x`;
    const { code, stdout, stderr } = await runToEnd("main", [], { env: { ...env, DATABASE_URL } });
    expect([code, foundIn(stdout + stderr)]).toEqual([78, []]);
  } finally {
    await other.remove();
  }
  expect(foundIn(await readFile(join(folder.path, "postgres.log"), "utf8"))).toEqual([]);
});
