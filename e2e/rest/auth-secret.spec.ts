import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAccount } from "@/server/auth/accounts";
import { type Database, openDatabase } from "@/server/db/client";
import { openEmbedded } from "@/server/db/embedded";
import { Browser, totpCode } from "../browser";
import { dataFolder } from "../data-folder";
import { freePort, type Product, startProduct, type TemporaryFolder } from "../product";

const OLD = "the first secret, of which somebody has a copy";
const NEW = "the second secret, which only the servers have";
const THIRD = "a third secret, which comes without the others";
const PASSWORD = "correct horse battery staple 42";
const STEP_MS = 30_000;

let folder: TemporaryFolder;
let port: string;
let product: Product;
beforeEach(async () => {
  folder = await dataFolder();
  port = await freePort();
});
afterEach(async () => {
  await product.stop();
  await folder.remove();
});

async function start(settings: Record<string, string>): Promise<void> {
  product = await startProduct({ env: { DATA_DIR: folder.path, PORT: port, ...settings } });
}

/** Stops the product and starts it with other secrets. A browser keeps its cookies. */
async function restart(settings: Record<string, string>, ...browsers: Browser[]): Promise<void> {
  expect(await product.stop()).toBe(0);
  await start(settings);
  for (const { url } of browsers) expect(url).toBe(product.url);
}

const statusOf = async (browser: Browser) => (await browser.get("/api/trpc/accounts.me")).status;
const isRenewed = () => product.output().includes("second factors encrypted with the current AUTH_SECRET");

/** The number of the secret that has encrypted a text, in the form of better-auth: `$ba$<number>$<text>`. */
const versionIn = (encrypted: string) => Number(/^\$ba\$(\d+)\$/.exec(encrypted)?.[1]);

/** Signs in with a password and a code, and returns the status of the second step. */
async function signIn(browser: Browser, email: string, secret: string, at: number): Promise<number> {
  expect((await browser.signIn(email, PASSWORD)).body).toMatchObject({ twoFactorRedirect: true });
  return (await browser.post("/api/auth/two-factor/verify-totp", { code: totpCode(secret, at) })).status;
}

/** An account with a second factor, and a browser that is signed in. Each code is of a later time step than the one before. */
async function newOwner() {
  const email = "owner@example.com";
  const by = { kind: "command_line", name: "test", address: null } as const;
  await inDatabase(async (db) => {
    await createAccount(db, { email, password: PASSWORD, isProven: true, keyPrefix: "sk-", by });
  });
  const browser = new Browser(product.url);
  expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
  const { body } = await browser.post("/api/auth/two-factor/enable", { password: PASSWORD });
  const secret = new URL(body.totpURI).searchParams.get("secret") ?? "";
  // The code of the step before this one is good until this one ends, so this one must not be about to end.
  await expect.poll(() => Date.now() % STEP_MS).toBeLessThan(STEP_MS * 0.6);
  const code = totpCode(secret, Date.now() - STEP_MS);
  expect((await browser.post("/api/auth/two-factor/verify-totp", { code })).status).toBe(200);
  return { email, browser, secret, backupCodes: body.backupCodes as string[] };
}

async function inDatabase(work: (db: Database) => Promise<void>): Promise<void> {
  const embedded = await openEmbedded(folder.path, "command", pino({ level: "silent" }));
  const db = openDatabase(embedded.url);
  try {
    await work(db);
  } finally {
    await db.close();
    await embedded.close();
  }
}

test("rotated: sessions and second factors go on; without the old secret its sessions end, and nothing else", async () => {
  await start({ AUTH_SECRET: OLD });
  const { email, browser, secret, backupCodes } = await newOwner();

  await restart({ AUTH_SECRET: NEW, AUTH_SECRET_PREVIOUS: OLD }, browser);
  expect(await statusOf(browser)).toBe(200);
  // better-auth itself reads the session here, and not our look-up.
  expect((await browser.post("/api/auth/two-factor/enable", { password: "wrong" })).body.code).toBe("INVALID_PASSWORD");
  const later = new Browser(product.url);
  expect(await signIn(later, email, secret, Date.now())).toBe(200);
  await expect.poll(isRenewed).toBe(true);

  await restart({ AUTH_SECRET: NEW }, browser, later);
  expect([await statusOf(browser), await statusOf(later)]).toEqual([401, 200]);
  const last = new Browser(product.url);
  expect(await signIn(last, email, secret, Date.now() + STEP_MS)).toBe(200);
  const byBackup = new Browser(product.url);
  await byBackup.signIn(email, PASSWORD);
  const used = await byBackup.post("/api/auth/two-factor/verify-backup-code", { code: backupCodes[0] });
  expect([used.status, await statusOf(byBackup)]).toEqual([200, 200]);
});

test("replaced without the old one: sessions end, and second factors cannot be read", async () => {
  await start({ AUTH_SECRET: OLD });
  const { email, browser, secret } = await newOwner();
  await restart({ AUTH_SECRET: THIRD }, browser);
  expect(await statusOf(browser)).toBe(401);
  const later = new Browser(product.url);
  expect(await signIn(later, email, secret, Date.now())).not.toBe(200);
  expect(await statusOf(later)).toBe(401);
});

test("a second factor from the time before there were versions is read with the oldest secret", async () => {
  await start({ AUTH_SECRET: OLD });
  const { email, secret, browser } = await newOwner();
  await inDatabase(async ({ prisma }) => {
    const row = await prisma.twoFactor.findFirstOrThrow();
    const currentVersion = versionIn(row.secret);
    const key = { keys: new Map([[currentVersion, OLD]]), currentVersion };
    const bare = async (data: string) => symmetricEncrypt({ key: OLD, data: await symmetricDecrypt({ key, data }) });
    const data = { secret: await bare(row.secret), backupCodes: await bare(row.backupCodes) };
    await prisma.twoFactor.update({ where: { id: row.id }, data });
  });
  await restart({ AUTH_SECRET: THIRD, AUTH_SECRET_PREVIOUS: `${NEW}\n${OLD}` }, browser);
  expect(await signIn(new Browser(product.url), email, secret, Date.now())).toBe(200);
  await expect.poll(isRenewed).toBe(true);
  await inDatabase(async ({ prisma }) => {
    const row = await prisma.twoFactor.findFirstOrThrow();
    expect(versionIn(row.backupCodes)).toBe(versionIn(row.secret));
    expect(versionIn(row.secret)).toBeGreaterThan(0);
  });
});

test("the secret that is kept in the data folder can be rotated too", async () => {
  await start({});
  const { browser } = await newOwner();
  await restart({ AUTH_SECRET: NEW, AUTH_SECRET_PREVIOUS_FILE: `${folder.path}/auth-secret` }, browser);
  expect(await statusOf(browser)).toBe(200);
});
