import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "@/server/db/client";
import { openEmbedded } from "@/server/db/embedded";
import { Browser, totpCode } from "../browser";
import { dataFolder } from "../data-folder";
import { newOwner, OWNER_PASSWORD } from "../owner";
import { type Product, runToEnd, startProduct, type TemporaryFolder } from "../product";
import { type OidcProvider, oidcSettings, startOidcProvider } from "./oidc-provider";

let folder: TemporaryFolder;
let provider: OidcProvider;
let product: Product;
let embedded: Awaited<ReturnType<typeof openEmbedded>>;
let db: Database;
beforeAll(async () => {
  folder = await dataFolder();
  provider = await startOidcProvider();
  const env = { DATA_DIR: folder.path, TRUST_PROXY: "1", SIGN_UP: "open" };
  product = await startProduct({ env: { ...env, ...(await oidcSettings(provider)) } });
  embedded = await openEmbedded(folder.path, "command", pino({ level: "silent" }));
  db = openDatabase(embedded.url);
});
afterAll(async () => {
  await db.close();
  await embedded.close();
  await product.stop();
  provider.stop();
  await folder.remove();
});

const newAccount = () => newOwner(db);

let addresses = 0;
const browser = (address = `198.51.100.${++addresses}`) => new Browser(product.url, { "x-forwarded-for": address });

interface Told {
  action: string;
  after: unknown;
  actor: { kind: string; name: string };
  address: string | null;
}

/** What the history says of an account's ways to sign in, oldest first, over REST. */
async function told({ apikey }: { apikey: string }): Promise<Told[]> {
  const headers = { authorization: `Bearer ${apikey}` };
  const { data } = await (await fetch(`${product.url}/v1/history?page_size=100`, { headers })).json();
  return (data as Told[]).filter(({ action }) => action.startsWith("sign_in.")).reverse();
}

const actions = async (account: { apikey: string }) =>
  (await told(account)).map(({ action, after }) => [action, after]);
const WITH_PASSWORD = ["sign_in.signed_in", { method: "password", second_factor: null }];

/** Turns the second factor on, and returns the secret and the backup codes. */
async function turnOnSecondFactor(at: Browser): Promise<{ secret: string; backupCodes: string[] }> {
  const { body } = await at.post("/api/auth/two-factor/enable", { password: OWNER_PASSWORD });
  const secret = new URL(body.totpURI).searchParams.get("secret") ?? "";
  expect((await at.post("/api/auth/two-factor/verify-totp", { code: totpCode(secret) })).status).toBe(200);
  return { secret, backupCodes: body.backupCodes };
}

test("a sign-in and a sign-out: who, with what, from where", async () => {
  const account = await newAccount();
  const at = browser("203.0.113.5");
  expect((await at.signIn(account.email, OWNER_PASSWORD)).status).toBe(200);
  expect((await at.post("/api/auth/sign-out")).status).toBe(200);
  const by = { actor: { kind: "browser", name: account.email }, address: "203.0.113.5" };
  expect(await told(account)).toMatchObject([
    { action: "sign_in.signed_in", after: { method: "password", second_factor: null }, ...by },
    { action: "sign_in.signed_out", after: {}, ...by },
  ]);
  // Who is not signed in does not sign out.
  await at.post("/api/auth/sign-out");
  expect(await told(account)).toHaveLength(2);
});

test("a second factor: the sign-in is told when it is complete, with the factor", async () => {
  const account = await newAccount();
  const first = browser();
  await first.signIn(account.email, OWNER_PASSWORD);
  const { backupCodes } = await turnOnSecondFactor(first);
  const second = browser();
  await second.signIn(account.email, OWNER_PASSWORD);
  const before = [WITH_PASSWORD, ["sign_in.totp_enabled", {}]];
  expect(await actions(account)).toEqual(before);
  const code = backupCodes[0];
  expect((await second.post("/api/auth/two-factor/verify-backup-code", { code })).status).toBe(200);
  const withCode = ["sign_in.signed_in", { method: "password", second_factor: "backup_code" }];
  expect(await actions(account)).toEqual([...before, withCode]);
  expect((await second.post("/api/auth/two-factor/generate-backup-codes", { password: OWNER_PASSWORD })).status).toBe(
    200,
  );
  expect(await actions(account)).toEqual([...before, withCode, ["sign_in.backup_codes_renewed", {}]]);
});

test("an authenticator app", async () => {
  const account = await newAccount();
  const first = browser();
  await first.signIn(account.email, OWNER_PASSWORD);
  const { secret } = await turnOnSecondFactor(first);
  const second = browser();
  await second.signIn(account.email, OWNER_PASSWORD);
  // The code of the next step has not been used yet.
  const code = totpCode(secret, Date.now() + 30_000);
  expect((await second.post("/api/auth/two-factor/verify-totp", { code })).status).toBe(200);
  expect((await actions(account)).at(-1)).toEqual(["sign_in.signed_in", { method: "password", second_factor: "totp" }]);
});

test("single sign-on", async () => {
  const at = browser();
  const email = `${randomUUID()}@example.com`;
  const started = await at.post("/api/auth/sign-in/social", { provider: "oidc", callbackURL: "/keys" });
  const back = new URL(provider.agree(started.body.url, { sub: randomUUID(), email, email_verified: true }));
  expect((await at.get(back.pathname + back.search)).status).toBe(302);
  const { id } = await db.prisma.account.findUniqueOrThrow({ where: { email }, select: { id: true } });
  const events = await db.prisma.event.findMany({ where: { accountId: id }, orderBy: { id: "asc" } });
  expect(events.map(({ action, after }) => [action, after]).at(-1)).toEqual([
    "sign_in.signed_in",
    { method: "single_sign_on", second_factor: null },
  ]);
});

test("failed attempts of an hour are one event that counts them; those after too many are another", async () => {
  const account = await newAccount();
  const stranger = browser("203.0.113.77");
  const answers: number[] = [];
  for (let i = 0; i < 12; i++) answers.push((await stranger.signIn(account.email.toUpperCase(), "wrong")).status);
  const refused = answers.filter((status) => status === 429).length;
  expect([answers[0], refused > 0]).toEqual([401, true]);
  // Two hours if the clock strikes meanwhile.
  const sum = async (action: string) =>
    (await told(account))
      .filter((event) => event.action === action)
      .reduce((total, { after }) => total + (after as { attempts: number }).attempts, 0);
  await expect.poll(() => sum("sign_in.failed")).toBe(12 - refused);
  await expect.poll(() => sum("sign_in.locked_out")).toBe(refused);
  const events = await told(account);
  expect(events.length).toBeLessThanOrEqual(4);
  expect(events[0]).toMatchObject({
    after: { method: "password" },
    actor: { kind: "browser", name: account.email },
    address: "203.0.113.77",
  });
});

test("wrong second factors are counted apart, because the password was right", async () => {
  const account = await newAccount();
  const first = browser();
  await first.signIn(account.email, OWNER_PASSWORD);
  await turnOnSecondFactor(first);
  const second = browser();
  await second.signIn(account.email, OWNER_PASSWORD);
  expect((await second.post("/api/auth/two-factor/verify-totp", { code: "000000" })).status).toBe(401);
  await expect
    .poll(async () => (await actions(account)).at(-1))
    .toEqual(["sign_in.failed", { method: "second_factor", attempts: 1 }]);
});

test("second factors after too many wrong ones are told as locked out", async () => {
  const account = await newAccount();
  const first = browser();
  await first.signIn(account.email, OWNER_PASSWORD);
  const { secret } = await turnOnSecondFactor(first);
  const wrong = String((Number(totpCode(secret)) + 1) % 1_000_000).padStart(6, "0");
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++) {
    const next = browser();
    await next.signIn(account.email, OWNER_PASSWORD);
    statuses.push((await next.post("/api/auth/two-factor/verify-totp", { code: wrong })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
  await expect
    .poll(async () => (await actions(account)).at(-1))
    .toEqual(["sign_in.locked_out", { method: "second_factor", attempts: 1 }]);
});

test("an unknown email: nothing is written for anybody", async () => {
  const before = await db.prisma.event.count();
  expect((await browser().signIn(`${randomUUID()}@example.com`, OWNER_PASSWORD)).status).toBe(401);
  // What is written after this one would have been written before.
  const account = await newAccount();
  await browser().signIn(account.email, "wrong");
  await expect.poll(async () => (await told(account)).length).toBe(1);
  expect(await db.prisma.event.count()).toBe(before + 2);
});

test("a recovery, and the new name of a passkey", async () => {
  const account = await newAccount();
  const { code } = await runToEnd("account-recover", ["--email", account.email, "--password-stdin"], {
    env: { DATA_DIR: folder.path },
    input: "another good passphrase\n",
  });
  expect(code).toBe(0);
  expect(await told(account)).toMatchObject([
    { action: "sign_in.recovered", actor: { kind: "command_line", name: "account:recover" } },
    { action: "sign_in.password_changed" },
  ]);
  const at = browser();
  await at.signIn(account.email, "another good passphrase");
  const passkey = { id: randomUUID(), credentialID: randomUUID(), name: "old", publicKey: "public", counter: 0 };
  const kind = { deviceType: "singleDevice", backedUp: false };
  await db.prisma.passkey.create({ data: { ...passkey, ...kind, userId: account.account_id } });
  for (const name of ["new", "new"]) {
    const renamed = await at.post("/api/trpc/accounts.renamePasskey", { passkey_id: passkey.id, name });
    expect([renamed.status, renamed.body.error]).toEqual([200, undefined]);
  }
  expect((await actions(account)).slice(2)).toEqual([WITH_PASSWORD, ["sign_in.passkey_renamed", { name: "new" }]]);
});
