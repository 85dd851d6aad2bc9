import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countWaiting } from "@/server/testing/waiting";
import { Browser, totpCode } from "../browser";
import { type Product, startProduct } from "../product";
import { Deployment, me, query } from "./deployment";

const STEP_MS = 30_000;
const PASSWORD = "a password of some length";
const env = { AUTH_SECRET: "a secret that two processes of this test share" };

let deployment: Deployment;
let second: Product;
beforeAll(async () => {
  deployment = await Deployment.start(env);
  second = await startProduct({ env: { ...env, TRUST_PROXY: "1", DATABASE_URL: deployment.databaseUrl } });
});
afterAll(async () => {
  await second.stop();
  await deployment.stop();
});

/** An account with a second factor. No code of its app was used yet. */
async function withSecondFactor() {
  const { account, browser } = await deployment.signedIn();
  const enabled = await browser.post("/api/auth/two-factor/enable", { password: account.password });
  const secret = new URL(enabled.body.totpURI).searchParams.get("secret") ?? "";
  expect((await verify(browser, totpCode(secret))).status).toBe(200);
  const userId = account.account_id;
  await deployment.db.prisma.twoFactor.updateMany({ where: { userId }, data: { acceptedStep: null } });
  return { account, browser, secret, backupCodes: enabled.body.backupCodes as string[] };
}

const verify = (browser: Browser, code: string, more = {}) =>
  browser.post("/api/auth/two-factor/verify-totp", { code, ...more });

/** A browser of which a code is asked. */
async function asked({ email, password }: { email: string; password: string }, url = deployment.product.url) {
  const browser = new Browser(url, deployment.browser().headers);
  expect((await browser.signIn(email, password)).body).toMatchObject({ twoFactorRedirect: true });
  return browser;
}

test("a second factor: set up, asked for, wrong codes counted, backup code, taken away", async () => {
  const { account, browser } = await deployment.signedIn();
  expect((await browser.post("/api/auth/two-factor/enable", { password: PASSWORD })).status).toBe(400);
  const enabled = await browser.post("/api/auth/two-factor/enable", { password: account.password });
  const secret = new URL(enabled.body.totpURI).searchParams.get("secret") ?? "";
  expect(enabled.body.backupCodes).toHaveLength(10);
  // The second factor is asked for only after a code has shown that the app has the secret.
  expect((await deployment.browser().signIn(account.email, account.password)).body).toEqual({ redirect: false });
  expect((await browser.post("/api/auth/two-factor/verify-totp", { code: totpCode(secret) })).status).toBe(200);
  expect(await query(browser, "me")).toMatchObject({ two_factor_enabled: true });

  const second = deployment.browser();
  const asked = await second.signIn(account.email, account.password);
  expect(asked.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ["totp"] });
  expect((await me(second)).status).toBe(401);
  const wrong = await second.post("/api/auth/two-factor/verify-totp", { code: "000000" });
  expect([wrong.status, wrong.body.code]).toEqual([401, "INVALID_CODE"]);
  expect((await me(second)).status).toBe(401);
  // The code of the next step, because that of this one was used to turn the second factor on.
  const next = { code: totpCode(secret, Date.now() + 30_000) };
  expect((await second.post("/api/auth/two-factor/verify-totp", next)).status).toBe(200);
  expect((await me(second)).status).toBe(200);

  const [backup] = enabled.body.backupCodes;
  for (const status of [200, 401]) {
    const third = deployment.browser();
    await third.signIn(account.email, account.password);
    expect((await third.post("/api/auth/two-factor/verify-backup-code", { code: backup })).status).toBe(status);
    expect((await me(third)).status).toBe(status);
  }

  expect((await browser.post("/api/auth/two-factor/disable", { password: PASSWORD })).status).toBe(400);
  expect((await browser.post("/api/auth/two-factor/disable", { password: account.password })).status).toBe(200);
  expect((await deployment.browser().signIn(account.email, account.password)).body).toEqual({ redirect: false });
  const events = await deployment.events(account.account_id);
  expect(events.map(({ action }) => action)).toEqual([
    "account.created",
    "sign_in.totp_enabled",
    "sign_in.totp_disabled",
  ]);
  expect(JSON.stringify(events)).not.toMatch(new RegExp(`${secret}|${account.password}|${account.apikey}|${backup}`));
});

test("set up many times at once, through two processes, it has one secret, which signs in", async () => {
  const { account, browser } = await deployment.signedIn();
  const elsewhere = new Browser(second.url, deployment.browser().headers);
  await elsewhere.signIn(account.email, account.password);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      (i % 2 ? browser : elsewhere).post("/api/auth/two-factor/enable", { password: account.password }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const factors = await deployment.db.prisma.twoFactor.findMany({ where: { userId: account.account_id } });
  expect(factors).toHaveLength(1);
  const working: string[] = [];
  for (const { body } of answers) {
    const secret = new URL(body.totpURI).searchParams.get("secret") ?? "";
    if ((await verify(browser, totpCode(secret))).status === 200) working.push(secret);
  }
  expect(working).toHaveLength(1);
  expect((await verify(await asked(account), totpCode(working[0] ?? "", Date.now() + STEP_MS))).status).toBe(200);
});

describe("turned off in one browser while another", () => {
  /** Sends a request that waits behind one that turns the second factor off. */
  async function behindTurningOff(
    account: { account_id: string; email: string; password: string },
    off: Browser,
    send: () => Promise<{ status: number; body: { code?: string } }>,
  ) {
    const { pool } = deployment.db;
    const holder = await pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [account.account_id]);
      const turningOff = off.post("/api/auth/two-factor/disable", { password: account.password });
      await expect.poll(() => countWaiting(pool, holder)).toBe(1);
      const sent = send();
      await expect.poll(() => countWaiting(pool, holder)).toBe(2);
      await holder.query("COMMIT");
      expect((await turningOff).status).toBe(200);
      const { status, body } = await sent;
      return [status, body.code];
    } finally {
      holder.release();
    }
  }

  test("renews the backup codes: it is told that it is off", async () => {
    const { account, browser, secret } = await withSecondFactor();
    const other = await asked(account);
    expect((await verify(other, totpCode(secret))).status).toBe(200);
    const renewing = () => other.post("/api/auth/two-factor/generate-backup-codes", { password: account.password });
    expect(await behindTurningOff(account, browser, renewing)).toEqual([400, "TWO_FACTOR_NOT_ENABLED"]);
    const events = await deployment.events(account.account_id);
    expect(events.at(-1)?.action).toBe("sign_in.totp_disabled");
  });

  test("turns it on: it is off, and the owner is asked for no code that nobody has", async () => {
    const { account, browser } = await deployment.signedIn();
    const other = deployment.browser();
    await other.signIn(account.email, account.password);
    const enabled = await other.post("/api/auth/two-factor/enable", { password: account.password });
    const secret = new URL(enabled.body.totpURI).searchParams.get("secret") ?? "";
    const turningOn = () => verify(other, totpCode(secret));
    expect(await behindTurningOff(account, browser, turningOn)).toEqual([400, "TWO_FACTOR_NOT_ENABLED"]);
    expect((await deployment.browser().signIn(account.email, account.password)).body).toEqual({ redirect: false });
  });
});

test("wrong second factors lock the account for a while, over many sign-ins", async () => {
  const { account, browser } = await deployment.signedIn();
  const enabled = await browser.post("/api/auth/two-factor/enable", { password: account.password });
  const secret = new URL(enabled.body.totpURI).searchParams.get("secret") ?? "";
  await browser.post("/api/auth/two-factor/verify-totp", { code: totpCode(secret) });
  const wrong = String((Number(totpCode(secret)) + 1) % 1_000_000).padStart(6, "0");
  for (let i = 0; i < 10; i++) {
    const guessing = deployment.browser();
    await guessing.signIn(account.email, account.password);
    expect((await guessing.post("/api/auth/two-factor/verify-totp", { code: wrong })).status).toBe(401);
  }
  const locked = deployment.browser();
  await locked.signIn(account.email, account.password);
  const answer = await locked.post("/api/auth/two-factor/verify-totp", { code: totpCode(secret) });
  expect([answer.status, answer.body.error]).toEqual([429, "too many attempts; try again in 15 minutes"]);
  expect(answer.headers.get("retry-after")).toBe("900");
});

describe("a code of the app", () => {
  test("works once", async () => {
    const { account, secret } = await withSecondFactor();
    const code = totpCode(secret);
    const [first, again] = [await asked(account), await asked(account)];
    expect((await verify(first, code)).status).toBe(200);
    const refused = await verify(again, code);
    expect([refused.status, refused.body.code]).toEqual([401, "INVALID_CODE"]);
    expect((await me(again)).status).toBe(401);
    expect((await verify(again, totpCode(secret, Date.now() + STEP_MS))).status).toBe(200);
  });

  test("that turns the second factor on signs nobody in", async () => {
    const { account, browser } = await deployment.signedIn();
    const enabled = await browser.post("/api/auth/two-factor/enable", { password: account.password });
    const secret = new URL(enabled.body.totpURI).searchParams.get("secret") ?? "";
    const code = totpCode(secret);
    expect((await verify(browser, code)).status).toBe(200);
    expect((await verify(await asked(account), code)).status).toBe(401);
  });

  test("of an earlier step than the last one is refused, and counts as a wrong one", async () => {
    const { account, secret } = await withSecondFactor();
    expect((await verify(await asked(account), totpCode(secret, Date.now() + STEP_MS))).status).toBe(200);
    expect((await verify(await asked(account), totpCode(secret))).status).toBe(401);
    const factor = await deployment.db.prisma.twoFactor.findFirst({ where: { userId: account.account_id } });
    expect(factor?.failedVerificationCount).toBe(1);
  });

  test("that is sent many times at once, to two processes, signs one browser in", async () => {
    const { account, secret } = await withSecondFactor();
    const urls = [deployment.product.url, second.url];
    const browsers: Browser[] = [];
    for (let i = 0; i < 6; i++) browsers.push(await asked(account, urls[i % 2]));
    const code = totpCode(secret);
    const answers = await Promise.all(browsers.map((browser) => verify(browser, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
  });
});

test("turned off where it is off, before it was ever on and again: the history has the one change", async () => {
  const { account, browser } = await deployment.signedIn();
  const { password } = account;
  const turnOff = async () =>
    expect((await browser.post("/api/auth/two-factor/disable", { password })).status).toBe(200);
  await turnOff();
  const enabled = await browser.post("/api/auth/two-factor/enable", { password });
  await turnOff();
  const anew = await browser.post("/api/auth/two-factor/enable", { password });
  expect(anew.body.totpURI).not.toBe(enabled.body.totpURI);
  const secret = new URL(anew.body.totpURI).searchParams.get("secret") ?? "";
  expect((await verify(browser, totpCode(secret))).status).toBe(200);
  await turnOff();
  await turnOff();
  const events = await deployment.events(account.account_id);
  expect(events.map(({ action }) => action)).toEqual([
    "account.created",
    "sign_in.totp_enabled",
    "sign_in.totp_disabled",
  ]);
});

test("wrong codes at once, over many sign-ins: ten are compared", async () => {
  const { account, secret } = await withSecondFactor();
  const browsers: Browser[] = [];
  for (let i = 0; i < 20; i++) browsers.push(await asked(account));
  const wrong = String((Number(totpCode(secret)) + 1) % 1_000_000).padStart(6, "0");
  const answers = await Promise.all(browsers.map((browser) => verify(browser, wrong)));
  const compared = answers.filter(({ body }) => body.code === "INVALID_CODE").length;
  // They wait for one row. On a busy machine some wait too long, and may have been counted.
  const busy = answers.filter(({ status }) => status === 503).length;
  expect(compared).toBeLessThanOrEqual(10);
  expect(compared).toBeGreaterThanOrEqual(10 - busy);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - compared - busy);
});

test("a code that is sent with a session completes no sign-in that waits beside it, even when the session ends meanwhile", async () => {
  const { account, secret } = await withSecondFactor();
  const { account: other, browser } = await deployment.signedIn();
  const both = await asked(account);
  for (const [name, value] of browser.cookies) both.cookies.set(name, value);
  const { prisma, pool } = deployment.db;
  const { answer } = await prisma.$transaction(
    async (transaction) => {
      // The request has found its session when it waits for its count.
      await transaction.rateLimit.updateMany({ where: { key: { startsWith: "sign-in from" } }, data: { count: 0 } });
      const answer = verify(both, totpCode(secret));
      await expect.poll(async () => (await pool.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount).toBe(1);
      await transaction.session.deleteMany({ where: { userId: other.account_id } });
      return { answer };
    },
    { timeout: 20_000 },
  );
  expect((await answer).status).toBe(401);
  expect((await me(both)).status).toBe(401);
});

test("a backup code that is sent many times at once, to two processes, signs one browser in", async () => {
  const { account, backupCodes } = await withSecondFactor();
  const urls = [deployment.product.url, second.url];
  const browsers: Browser[] = [];
  for (let i = 0; i < 6; i++) browsers.push(await asked(account, urls[i % 2]));
  const answers = await Promise.all(
    browsers.map((browser) => browser.post("/api/auth/two-factor/verify-backup-code", { code: backupCodes[0] })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  // 409: another request has used a code at the same moment.
  for (const { status } of answers) expect([200, 401, 409]).toContain(status);
  expect(
    (await Promise.all(browsers.map((browser) => me(browser)))).filter(({ status }) => status === 200),
  ).toHaveLength(1);
});

describe("a device that skips the second factor", () => {
  test.each(["verify-totp", "verify-backup-code"])("is no parameter of %s", async (path) => {
    const { account, secret, backupCodes } = await withSecondFactor();
    const browser = await asked(account);
    const code = path === "verify-totp" ? totpCode(secret) : backupCodes[0];
    const answer = await browser.post(`/api/auth/two-factor/${path}`, { code, trustDevice: true });
    expect([answer.status, answer.body]).toEqual([
      400,
      { success: false, error: "trustDevice: is not offered", code: "NOT_OFFERED" },
    ]);
    expect((await me(browser)).status).toBe(401);
    expect(
      await deployment.db.prisma.verification.count({ where: { identifier: { startsWith: "trust-device-" } } }),
    ).toBe(0);
    // The code was not used.
    expect((await browser.post(`/api/auth/two-factor/${path}`, { code })).status).toBe(200);
  });

  test("is asked for the code, even with a cookie and a row of an older version", async () => {
    const { account } = await withSecondFactor();
    const trusted = await trustedDevice(account.account_id);
    const answer = await trusted.signIn(account.email, account.password);
    expect(answer.body).toMatchObject({ twoFactorRedirect: true });
    expect((await me(trusted)).status).toBe(401);
  });

  test("is forgotten with the password", async () => {
    const { account, browser } = await withSecondFactor();
    await trustedDevice(account.account_id);
    const waiting = await asked(account);
    const passwords = { currentPassword: account.password, newPassword: "another password of the owner" };
    const changed = await browser.post("/api/auth/change-password", { ...passwords, revokeOtherSessions: true });
    expect(changed.status).toBe(200);
    expect(await deployment.db.prisma.verification.count({ where: { value: account.account_id } })).toBe(0);
    // A sign-in that began with the old password ends with it.
    const late = await waiting.post("/api/auth/two-factor/verify-totp", { code: "000000" });
    expect([late.status, late.body.code]).toEqual([401, "INVALID_TWO_FACTOR_COOKIE"]);
  });

  /** A browser with the cookie that an older version gave, and the row that it made. */
  async function trustedDevice(accountId: string): Promise<Browser> {
    const identifier = `trust-device-${accountId}`;
    const expiresAt = new Date(Date.now() + 86_400_000);
    await deployment.db.prisma.verification.create({
      data: { id: identifier, identifier, value: accountId, expiresAt },
    });
    const browser = deployment.browser();
    const mac = (text: string, form: "base64" | "base64url") =>
      createHmac("sha256", env.AUTH_SECRET).update(text).digest(form);
    const content = `${mac(`${accountId}!${identifier}`, "base64url")}!${identifier}`;
    browser.cookies.set("allowance.trust_device", encodeURIComponent(`${content}.${mac(content, "base64")}`));
    return browser;
  }
});
