import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "@/server/db/client";
import { type EmbeddedPostgres, openEmbedded } from "@/server/db/embedded";
import { Browser, totpCode } from "../browser";
import { dataFolder } from "../data-folder";
import { newOwner, OWNER_PASSWORD } from "../owner";
import { freePort, type Product, startProduct, type TemporaryFolder } from "../product";

const OLD = "the first secret, of which somebody has a copy";
const NEW = "the second secret, which only the servers have";
const THIRD = "a third secret, which comes without the others";
const STEP_MS = 30_000;

let folder: TemporaryFolder;
let port: string;
let embedded: EmbeddedPostgres;
let db: Database;
let product: Product;
beforeEach(async () => {
  folder = await dataFolder();
  port = await freePort();
  embedded = await openEmbedded(folder.path, "command", pino({ level: "silent" }));
  db = openDatabase(embedded.url);
});
afterEach(async () => {
  await db.close();
  await embedded.close();
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
  expect((await browser.signIn(email, OWNER_PASSWORD)).body).toMatchObject({ twoFactorRedirect: true });
  return (await browser.post("/api/auth/two-factor/verify-totp", { code: totpCode(secret, at) })).status;
}

/** An account with a second factor, and a browser that is signed in. No code of its app was used yet. */
async function ownerWithSecondFactor() {
  const { email } = await newOwner(db);
  const browser = new Browser(product.url);
  expect((await browser.signIn(email, OWNER_PASSWORD)).status).toBe(200);
  const { body } = await browser.post("/api/auth/two-factor/enable", { password: OWNER_PASSWORD });
  const secret = new URL(body.totpURI).searchParams.get("secret") ?? "";
  const code = totpCode(secret);
  expect((await browser.post("/api/auth/two-factor/verify-totp", { code })).status).toBe(200);
  await db.prisma.twoFactor.updateMany({ data: { acceptedStep: null } });
  return { email, browser, secret, backupCodes: body.backupCodes as string[] };
}

test("rotated: sessions and second factors go on; without the old secret its sessions end, and nothing else", async () => {
  await start({ AUTH_SECRET: OLD });
  const { email, browser, secret, backupCodes } = await ownerWithSecondFactor();

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
  await byBackup.signIn(email, OWNER_PASSWORD);
  const used = await byBackup.post("/api/auth/two-factor/verify-backup-code", { code: backupCodes[0] });
  expect([used.status, await statusOf(byBackup)]).toEqual([200, 200]);
});

test("replaced without the old one: sessions end, and second factors cannot be read", async () => {
  await start({ AUTH_SECRET: OLD });
  const { email, browser, secret } = await ownerWithSecondFactor();
  await restart({ AUTH_SECRET: THIRD }, browser);
  expect(await statusOf(browser)).toBe(401);
  const later = new Browser(product.url);
  expect(await signIn(later, email, secret, Date.now())).not.toBe(200);
  expect(await statusOf(later)).toBe(401);
});

test("a second factor from the time before there were versions is read with the oldest secret", async () => {
  await start({ AUTH_SECRET: OLD });
  const { email, secret, browser } = await ownerWithSecondFactor();
  const row = await db.prisma.twoFactor.findFirstOrThrow();
  const currentVersion = versionIn(row.secret);
  const key = { keys: new Map([[currentVersion, OLD]]), currentVersion };
  const bare = async (data: string) => symmetricEncrypt({ key: OLD, data: await symmetricDecrypt({ key, data }) });
  const data = { secret: await bare(row.secret), backupCodes: await bare(row.backupCodes) };
  await db.prisma.twoFactor.update({ where: { id: row.id }, data });
  await restart({ AUTH_SECRET: THIRD, AUTH_SECRET_PREVIOUS: `${NEW}\n${OLD}` }, browser);
  expect(await signIn(new Browser(product.url), email, secret, Date.now())).toBe(200);
  await expect.poll(isRenewed).toBe(true);
  const renewed = await db.prisma.twoFactor.findFirstOrThrow();
  expect(versionIn(renewed.backupCodes)).toBe(versionIn(renewed.secret));
  expect(versionIn(renewed.secret)).toBeGreaterThan(0);
});

test("the secret that is kept in the data folder can be rotated too", async () => {
  await start({});
  const { browser } = await ownerWithSecondFactor();
  await restart({ AUTH_SECRET: NEW, AUTH_SECRET_PREVIOUS_FILE: `${folder.path}/auth-secret` }, browser);
  expect(await statusOf(browser)).toBe(200);
});
