import { createHash, randomUUID } from "node:crypto";
import { hashPassword } from "better-auth/crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, type BrowserAnswer, totpCode } from "../browser";
import { runToEnd } from "../product";
import { Deployment, me } from "./deployment";

const DAY_MS = 86_400_000;

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.start({ SESSION_IDLE_DAYS: "7" });
});
afterAll(() => deployment.stop());

const sessionOf = (userId: string) => deployment.db.prisma.session.findFirstOrThrow({ where: { userId } });
const tokenOf = (browser: Browser) => decodeURIComponent([...browser.cookies.values()][0] ?? "").split(".")[0] ?? "";

/** Lets days pass for the session of an account. */
async function letPass(userId: string, days: number): Promise<void> {
  await deployment.db.pool.query(
    `UPDATE session SET created_at = created_at - $2 * interval '1 day', updated_at = updated_at - $2 * interval '1 day',
      expires_at = expires_at - $2 * interval '1 day' WHERE account_id = $1`,
    [userId, days],
  );
}

describe("a session", () => {
  test("is kept as the hash of its token", async () => {
    const { account, browser } = await deployment.signedIn();
    const { token } = await sessionOf(account.account_id);
    expect(token).toBe(createHash("sha256").update(tokenOf(browser)).digest("hex"));
    // The hash in place of the token, signed or not, opens nothing.
    const [[name = "", value = ""] = []] = browser.cookies;
    browser.cookies.set(name, value.replace(/^[^.]+/, token));
    expect((await me(browser)).status).toBe(401);
  });

  test("ends after seven days without use", async () => {
    const { account, browser } = await deployment.signedIn();
    await letPass(account.account_id, 6.9);
    expect((await me(browser)).status).toBe(200);
    // The use counts: another 6 days are fine.
    await expect
      .poll(async () => (await sessionOf(account.account_id)).updatedAt.getTime())
      .toBeGreaterThan(Date.now() - 60_000);
    await letPass(account.account_id, 6.9);
    expect((await me(browser)).status).toBe(200);
    await expect
      .poll(async () => (await sessionOf(account.account_id)).updatedAt.getTime())
      .toBeGreaterThan(Date.now() - 60_000);
    await letPass(account.account_id, 7.1);
    expect((await me(browser)).status).toBe(401);
    // Neither does the library behind /api/auth take it.
    expect((await browser.get("/api/auth/passkey/generate-register-options")).status).toBe(401);
  });

  test("ends after thirty days, used or not", async () => {
    const { account, browser } = await deployment.signedIn();
    for (let day = 0; day < 30; day += 5) {
      expect((await me(browser)).status).toBe(200);
      await expect
        .poll(async () => (await sessionOf(account.account_id)).updatedAt.getTime())
        .toBeGreaterThan(Date.now() - 60_000);
      const { createdAt, expiresAt } = await sessionOf(account.account_id);
      expect(expiresAt.getTime()).toBeLessThanOrEqual(createdAt.getTime() + 30 * DAY_MS);
      await letPass(account.account_id, 5);
    }
    await letPass(account.account_id, 0.01);
    expect((await me(browser)).status).toBe(401);
  });

  test("that is over is not among those that are signed out", async () => {
    const { account, browser } = await deployment.signedIn();
    const { body: signedIn } = await browser.get("/api/trpc/accounts.sessions");
    const [current] = signedIn.result.data;
    await deployment.browser().signIn(account.email, account.password);
    await deployment.db.prisma.session.updateMany({
      where: { userId: account.account_id, id: { not: current.id } },
      data: { expiresAt: new Date(Date.now() - 60_000) },
    });
    const revoked = await browser.post("/api/trpc/accounts.revokeOtherSessions", {});
    expect(revoked.body.result.data).toEqual({ revoked_count: 0 });
    expect(await deployment.events(account.account_id)).toHaveLength(1);
  });

  test("writes its last use once an hour, not with each request", async () => {
    const { account, browser } = await deployment.signedIn();
    await letPass(account.account_id, 0.03);
    const { updatedAt } = await sessionOf(account.account_id);
    for (let i = 0; i < 3; i++) expect((await me(browser)).status).toBe(200);
    expect((await sessionOf(account.account_id)).updatedAt).toEqual(updatedAt);
    await letPass(account.account_id, 0.03);
    expect((await me(browser)).status).toBe(200);
    await expect
      .poll(async () => (await sessionOf(account.account_id)).updatedAt.getTime())
      .toBeGreaterThan(Date.now() - 60_000);
  });
});

describe("a junk cookie of the name", () => {
  const NAME = "allowance.session_token";
  const JUNK = {
    "no text": "%E0%A4%A",
    "not signed": "a".repeat(32),
    "signed by someone else": `${"a".repeat(32)}.${"A".repeat(43)}%3D`,
    empty: "",
    "only dots": "....",
    "a quote": '"',
    long: "x".repeat(7_000),
    "a long signature": `a.${"A".repeat(6_000)}`,
  };
  const ask = async (path: string, cookie: string, method = "GET", body?: object) => {
    const response = await fetch(deployment.product.url + path, {
      method,
      redirect: "manual",
      headers: { cookie, ...(body && { "content-type": "application/json", origin: deployment.product.url }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  };

  test.each(Object.entries(JUNK))("that is %s counts as absent", async (_, junk) => {
    const cookie = `${NAME}=${junk}`;
    expect(await ask("/api/trpc/accounts.me", cookie)).toBe(401);
    expect(await ask("/api/auth/passkey/generate-register-options", cookie)).toBe(401);
    expect(await ask("/api/auth/sign-out", cookie, "POST", {})).toBe(200);
    const { email, password } = await deployment.newAccount();
    expect(
      await ask("/api/auth/sign-in/email", `${cookie}; allowance.two_factor=${junk}`, "POST", { email, password }),
    ).toBe(200);
  });

  test.each(Object.entries(JUNK))("that is %s leaves a good one beside it alone, before or after", async (_, junk) => {
    const { browser } = await deployment.signedIn();
    const good = `${NAME}=${browser.cookies.get(NAME)}`;
    for (const cookie of [
      `${NAME}=${junk}; ${good}`,
      `${good}; ${NAME}=${junk}`,
      `${NAME}=${junk}; ${NAME}=${junk}; ${good}`,
    ]) {
      expect(await ask("/api/trpc/accounts.me", cookie)).toBe(200);
      expect(await ask("/api/auth/passkey/generate-register-options", cookie)).toBe(200);
    }
    // Signing out ends the good one.
    expect(await ask("/api/auth/sign-out", `${NAME}=${junk}; ${good}`, "POST", {})).toBe(200);
    expect(await ask("/api/trpc/accounts.me", good)).toBe(401);
  });

  test("that was good once, or is of another account, hides no valid one", async () => {
    const { browser } = await deployment.signedIn();
    const { browser: ended } = await deployment.signedIn();
    const old = `${NAME}=${ended.cookies.get(NAME)}`;
    await ended.post("/api/auth/sign-out");
    const cookie = `${old}; ${NAME}=${browser.cookies.get(NAME)}`;
    expect(await ask("/api/trpc/accounts.me", cookie)).toBe(200);
    expect(await ask("/api/auth/passkey/generate-register-options", cookie)).toBe(200);
    expect(await ask("/api/auth/sign-out", cookie, "POST", {})).toBe(200);
    expect((await me(browser)).status).toBe(401);
  });
});

describe("under https", () => {
  const origin = "https://keys.example.com";
  let secure: Deployment;
  beforeAll(async () => {
    secure = await Deployment.start({ PUBLIC_URL: origin });
  });
  afterAll(() => secure.stop());

  test("the set-up link has the public address", async () => {
    expect(await secure.printed(/(https:\S+)\/set-up\?token=/)).toBe(origin);
  });

  test("every cookie belongs to this host alone", async () => {
    const account = await secure.newAccount();
    const browser = secure.browser(undefined, { origin });
    const signedIn = await browser.post("/api/auth/sign-in/email", account, { origin });
    const options = await browser.get("/api/auth/passkey/generate-authenticate-options");
    const cookies = [...signedIn.headers.getSetCookie(), ...options.headers.getSetCookie()];
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-allowance\.[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    }
    expect((await me(browser)).status).toBe(200);
    // A page of a neighbouring host can plant cookies of every other name.
    for (const prefix of ["__Secure-", ""]) {
      const planted = secure.browser(undefined, { origin });
      planted.cookies.set(
        `${prefix}allowance.session_token`,
        browser.cookies.get("__Host-allowance.session_token") ?? "",
      );
      expect((await me(planted)).status).toBe(401);
    }
    const signedOut = await browser.post("/api/auth/sign-out", {}, { origin });
    expect(signedOut.headers.getSetCookie()[0]).toMatch(
      /^__Host-allowance\.session_token=; Max-Age=0; Path=\/; HttpOnly; Secure/,
    );
    expect((await me(browser)).status).toBe(401);
  });
});

describe("what was under way with the old password when it was replaced", () => {
  const NEW_PASSWORD = "the password of a recovery";
  let password: string;
  beforeAll(async () => {
    password = await hashPassword(NEW_PASSWORD);
  });

  /** Replaces the password of an account while a request, which has compared the old one, waits for the row of the account. */
  async function replacedDuring(userId: string, request: () => Promise<BrowserAnswer>): Promise<BrowserAnswer> {
    const { prisma, pool } = deployment.db;
    const { answer } = await prisma.$transaction(
      async (transaction) => {
        await transaction.$queryRaw`SELECT id FROM account WHERE id = ${userId} FOR UPDATE`;
        const answer = request();
        const waiting = async () => (await pool.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount;
        await expect.poll(waiting).toBe(1);
        await transaction.signInMethod.updateMany({ where: { userId }, data: { password } });
        await transaction.session.deleteMany({ where: { userId } });
        return { answer };
      },
      { timeout: 20_000 },
    );
    return answer;
  }

  test("a sign-in: refused like a wrong password, and there is no session", async () => {
    const account = await deployment.newAccount();
    const browser = deployment.browser();
    const answer = await replacedDuring(account.account_id, () => browser.signIn(account.email, account.password));
    expect([answer.status, answer.body.code]).toEqual([401, "INVALID_EMAIL_OR_PASSWORD"]);
    expect(await deployment.db.prisma.session.count({ where: { userId: account.account_id } })).toBe(0);
    expect((await browser.signIn(account.email, NEW_PASSWORD)).status).toBe(200);
  });

  test("a sign-in while `account:recover` runs: waits for it, and is refused", async () => {
    const account = await deployment.newAccount();
    const { prisma, pool } = deployment.db;
    const locksWaitedFor = async () => (await pool.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount;
    const key = `password of ${account.account_id}`;
    await prisma.rateLimit.create({ data: { id: randomUUID(), key, count: 1, lastRequest: Date.now() } });
    const browser = deployment.browser();
    const { recovered, signedIn } = await prisma.$transaction(
      async (transaction) => {
        // The command has written the new password when it waits to lift this lock-out.
        await transaction.rateLimit.update({ where: { key }, data: { count: 2 } });
        const recovered = runToEnd("account-recover", ["--email", account.email, "--password-stdin"], {
          env: deployment.env,
          input: `${NEW_PASSWORD}\n`,
        });
        await expect.poll(locksWaitedFor).toBe(1);
        const signedIn = browser.signIn(account.email, account.password);
        await expect.poll(locksWaitedFor).toBe(2);
        return { recovered, signedIn };
      },
      { timeout: 60_000 },
    );
    expect((await recovered).code).toBe(0);
    const refused = await signedIn;
    expect([refused.status, refused.body.code]).toEqual([401, "INVALID_EMAIL_OR_PASSWORD"]);
    expect((await me(browser)).status).toBe(401);
  });

  /** A browser that is signed in to a new account, and has turned its second factor on. */
  async function withSecondFactor() {
    const { account, browser } = await deployment.signedIn();
    const enabled = await browser.post("/api/auth/two-factor/enable", { password: account.password });
    const secret = new URL(enabled.body.totpURI).searchParams.get("secret") ?? "";
    await browser.post("/api/auth/two-factor/verify-totp", { code: totpCode(secret) });
    return { account, browser, secret };
  }

  test("a second factor: refused, and there is no session", async () => {
    const { account, secret } = await withSecondFactor();
    const waiting = deployment.browser();
    await waiting.signIn(account.email, account.password);
    const answer = await replacedDuring(account.account_id, () =>
      waiting.post("/api/auth/two-factor/verify-totp", { code: totpCode(secret, Date.now() + 30_000) }),
    );
    expect(answer.status).toBe(401);
    expect(await deployment.db.prisma.session.count({ where: { userId: account.account_id } })).toBe(0);
  });

  test("a change of the password: refused, and the password is the one of the recovery", async () => {
    const { account, browser } = await deployment.signedIn();
    const answer = await replacedDuring(account.account_id, () =>
      browser.post("/api/auth/change-password", {
        currentPassword: account.password,
        newPassword: "the password of a stranger",
      }),
    );
    expect([answer.status, answer.body.code]).toEqual([400, "INVALID_PASSWORD"]);
    expect((await me(browser)).status).toBe(401);
    expect((await deployment.browser().signIn(account.email, NEW_PASSWORD)).status).toBe(200);
  });

  test.each([
    ["turning the second factor off", "disable"],
    ["new backup codes", "generate-backup-codes"],
  ])("%s: refused, and the second factor is as before", async (_, path) => {
    const { account, browser } = await withSecondFactor();
    const where = { userId: account.account_id };
    const factor = () => deployment.db.prisma.twoFactor.findFirst({ where });
    const before = await factor();
    const answer = await replacedDuring(account.account_id, () =>
      browser.post(`/api/auth/two-factor/${path}`, { password: account.password }),
    );
    expect([answer.status, answer.body.code]).toEqual([400, "INVALID_PASSWORD"]);
    expect(await factor()).toEqual(before);
    const next = await deployment.browser().signIn(account.email, NEW_PASSWORD);
    expect(next.body).toMatchObject({ twoFactorRedirect: true });
  });

  test("a sign-in to an account that is disabled meanwhile: refused, and there is no session when it is enabled", async () => {
    const account = await deployment.newAccount();
    const { prisma, pool } = deployment.db;
    const where = { id: account.account_id };
    const browser = deployment.browser();
    const { answer } = await prisma.$transaction(
      async (transaction) => {
        await transaction.account.update({ where, data: { disabledAt: new Date() }, select: { id: true } });
        const answer = browser.signIn(account.email, account.password);
        await expect.poll(async () => (await pool.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount).toBe(1);
        return { answer };
      },
      { timeout: 20_000 },
    );
    const refused = await answer;
    expect([refused.status, refused.body.code]).toEqual([403, "ACCOUNT_DISABLED"]);
    await prisma.account.update({ where, data: { disabledAt: null }, select: { id: true } });
    expect((await me(browser)).status).toBe(401);
    expect(await prisma.session.count({ where: { userId: account.account_id } })).toBe(0);
  });
});
