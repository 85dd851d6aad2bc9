import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "../browser";
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
