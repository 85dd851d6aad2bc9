import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Browser } from "../browser";
import { dataFolder } from "../data-folder";
import { runToEnd, startProduct } from "../product";
import { callAt } from "./client";
import { Deployment, me, query } from "./deployment";
import { CREATED } from "./passkey-forms";

const PASSWORD = "a password of some length";

describe("a deployment with an account", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await Deployment.start();
  });
  afterAll(() => deployment.stop());

  test("the printed password signs in; the cookie is the browser's alone", async () => {
    const email = `${randomUUID()}@example.com`;
    const { stdout } = await runToEnd("account-create", ["--email", email], { env: deployment.env });
    const account = JSON.parse(stdout);
    const browser = deployment.browser();
    expect((await me(browser)).status).toBe(401);
    const answer = await browser.signIn(account.email.toUpperCase(), account.password);
    expect([answer.status, answer.body]).toEqual([200, { redirect: false }]);
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^allowance\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await me(browser)).body.result.data).toMatchObject({
      account_id: account.account_id,
      email: account.email,
      time_zone: "Asia/Shanghai",
      language: null,
      two_factor_enabled: false,
    });
  });

  test("a session manages keys over tRPC; /v1 takes keys only", async () => {
    const { browser } = await deployment.signedIn();
    const created = await browser.post("/api/trpc/keys.create", { name: "made in a browser" });
    expect(created.status).toBe(200);
    expect((await browser.get("/v1/apikey_groups")).status).toBe(401);
    expect((await browser.get("/v1/account")).status).toBe(401);
  });

  test("a key in the header wins over the cookie", async () => {
    const { browser } = await deployment.signedIn();
    const other = await deployment.newAccount();
    const answer = await me(browser, { authorization: `Bearer ${other.apikey}` });
    expect(answer.body.result.data.account_id).toBe(other.account_id);
    expect((await me(browser, { authorization: "Bearer nonsense" })).status).toBe(401);
  });

  test.each([
    ["203.0.113.9, 198.51.7.1:5678", "198.51.7.1"],
    ["203.0.113.9, [2001:db8::7]:123", "2001:db8::7"],
    ["203.0.113.9, 2001:db8::8", "2001:db8::8"],
    ["203.0.113.9, ::ffff:198.51.7.2", "198.51.7.2"],
    ["203.0.113.9, unknown", "127.0.0.1"],
    ["203.0.113.9, 198.51.7.1\u00e9", "127.0.0.1"],
    ["203.0.113.9, ", "127.0.0.1"],
  ])("X-Forwarded-For: %s is the address %s", async (forwarded, address) => {
    const account = await deployment.newAccount();
    const { url } = deployment.product;
    const headers = { "x-forwarded-for": forwarded };
    const created = await callAt(url.replace("localhost", "127.0.0.1"), "POST", "/v1/apikey_groups", {
      key: account.apikey,
      body: { name: "a group" },
      headers,
    });
    expect(created.status).toBe(201);
    const [, event] = await deployment.events(account.account_id);
    expect(event).toMatchObject({ action: "group.created", address });
  });

  test("whatever hosts clients name, signing in works, and each host is its own origin", async () => {
    const account = await deployment.newAccount();
    for (const host of ["one.example", "two.example:8080", "three.example"]) {
      const headers = { "x-forwarded-host": host, origin: `http://${host}` };
      const browser = deployment.browser(undefined, headers);
      const body = { email: account.email, password: account.password };
      expect((await browser.post("/api/auth/sign-in/email", body, headers)).status).toBe(200);
      const { body: options } = await browser.get("/api/auth/passkey/generate-register-options");
      expect(options.rp.id).toBe(host.replace(/:.*/, ""));
    }
  });

  test("signing out ends the session, not only the cookie", async () => {
    const { browser } = await deployment.signedIn();
    const cookies = [...browser.cookies];
    expect((await browser.post("/api/auth/sign-out")).status).toBe(200);
    expect(browser.cookies.size).toBe(0);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect((await me(browser)).status).toBe(401);
  });

  test.each([
    ["changed", (value: string) => value.replace(/^./, (letter) => (letter === "a" ? "b" : "a"))],
    ["not signed", (value: string) => value.split(".")[0] ?? ""],
    ["signed by someone else", (value: string) => `${value.split(".")[0]}.${"A".repeat(43)}%3D`],
    ["no text", () => "%E0%A4%A"],
  ])("a cookie that is %s is nobody's", async (_, forge) => {
    const { browser } = await deployment.signedIn();
    for (const [name, value] of browser.cookies) browser.cookies.set(name, forge(value));
    expect((await me(browser)).status).toBe(401);
  });

  test("an unknown email and a wrong password: the same answer", async () => {
    const account = await deployment.newAccount();
    const wrong = await deployment.browser().signIn(account.email, PASSWORD);
    const unknown = await deployment.browser().signIn(`${randomUUID()}@example.com`, PASSWORD);
    expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body]);
    expect(wrong.body).toEqual({
      success: false,
      error: "Invalid email or password",
      code: "INVALID_EMAIL_OR_PASSWORD",
    });
  });

  test("an unknown email and a wrong password take the same time", async () => {
    const account = await deployment.newAccount();
    const env = { DATABASE_URL: deployment.databaseUrl, TRUST_PROXY: "1" };
    const product = await startProduct({ env, hashesSlowly: true });
    onTestFinished(async () => {
      await product.stop();
    });
    const timed = async (email: string) => {
      const browser = new Browser(product.url, deployment.browser().headers);
      const begun = performance.now();
      expect((await browser.signIn(email, PASSWORD)).status).toBe(401);
      return performance.now() - begun;
    };
    let [wrong, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    // Hashing a password takes tens of milliseconds. Without it, the answer would come in a fraction of that time. What else
    // the machine does makes answers slower and never faster, so the fastest of each are compared, of many where need be.
    const isSame = () => unknown > wrong * 0.6 && unknown < wrong * 1.7;
    for (let round = 0; round < 8 || (round < 80 && !isSame()); round++) {
      wrong = Math.min(wrong, await timed(account.email));
      unknown = Math.min(unknown, await timed(`${randomUUID()}@example.com`));
    }
    expect([wrong, unknown, isSame()]).toEqual([wrong, unknown, true]);
    expect(wrong).toBeGreaterThan(20);
  });

  test("requests that a page of another site makes are refused", async () => {
    const { account, browser } = await deployment.signedIn();
    for (const headers of [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: browser.url.replace("localhost", "other.localhost"), "sec-fetch-site": "same-site" },
    ]) {
      for (const [path, body] of [
        ["/api/trpc/keys.create", { name: "not mine" }],
        ["/api/auth/sign-out", {}],
        ["/api/auth/sign-in/email", { email: account.email, password: account.password }],
      ] as const) {
        const answer = await browser.post(path, body, headers);
        expect([path, answer.status, answer.body.error]).toEqual([path, 403, expect.stringContaining("another site")]);
      }
    }
    expect((await me(browser)).status).toBe(200);
  });

  test("sessions are listed; one that is revoked ends at once, one of another account cannot be", async () => {
    const { account, browser } = await deployment.signedIn();
    const other = deployment.browser("2001:db8::7", { "user-agent": "Other/1.0" });
    await other.signIn(account.email, account.password);
    const sessions = await query(browser, "sessions");
    expect(sessions).toHaveLength(2);
    const theirs = sessions.find(({ current }: { current: boolean }) => !current);
    expect(theirs).toMatchObject({ address: "2001:db8::7", user_agent: "Other/1.0" });
    expect(JSON.stringify(sessions)).not.toContain(
      decodeURIComponent([...other.cookies.values()][0] ?? "-").split(".")[0],
    );

    const stranger = (await deployment.signedIn()).browser;
    const foreign = await stranger.post("/api/trpc/accounts.revokeSession", { session_id: theirs.id });
    expect(foreign.status).toBe(404);
    expect((await me(other)).status).toBe(200);
    expect((await browser.post("/api/trpc/accounts.revokeSession", { session_id: theirs.id })).status).toBe(200);
    expect((await me(other)).status).toBe(401);
    expect((await me(browser)).status).toBe(200);

    await other.signIn(account.email, account.password);
    await deployment.browser().signIn(account.email, account.password);
    const revoked = await browser.post("/api/trpc/accounts.revokeOtherSessions");
    expect(revoked.body.result.data).toEqual({ revoked_count: 2 });
    expect([(await me(other)).status, (await me(browser)).status]).toEqual([401, 200]);
    expect((await deployment.events(account.account_id)).map(({ action, after }) => [action, after])).toEqual([
      ["account.created", expect.anything()],
      ["sign_in.session_revoked", { sessions: 1 }],
      ["sign_in.session_revoked", { sessions: 2 }],
    ]);
  });

  test("a default key reaches no session and no way to sign in", async () => {
    const account = await deployment.newAccount();
    const program = deployment.browser();
    for (const name of ["sessions", "signInMethods"]) {
      const answer = await program.get(`/api/trpc/accounts.${name}`, { authorization: `Bearer ${account.apikey}` });
      expect(answer.status).toBe(403);
    }
  });

  test("what the sign-in library can do besides is not offered", async () => {
    const { browser } = await deployment.signedIn();
    for (const path of [
      "sign-up/email",
      "sign-up",
      "update-user",
      "delete-user",
      "change-email",
      "reset-password",
      "sign-in/social",
      "two-factor/send-otp",
      "%2e%2e/v1",
      "",
    ]) {
      const answer = await browser.post(`/api/auth/${path}`, {});
      expect([path, answer.status]).toEqual([path, 404]);
    }
    for (const path of ["get-session", "list-sessions", "callback/oidc", "error", "ok"]) {
      expect([path, (await browser.get(`/api/auth/${path}`)).status]).toEqual([path, 404]);
    }
    expect(await query(browser, "signInOptions")).toEqual({ sign_up: false, single_sign_on: null });
  });

  test("a new passkey opens no session of its own, which the history would not have", async () => {
    const { browser } = await deployment.signedIn();
    const asked = { response: CREATED, name: "key", createSession: true };
    const answer = await browser.post("/api/auth/passkey/verify-registration", asked);
    expect([answer.status, answer.body.error]).toEqual([400, "createSession: is not offered"]);
  });

  test.each([
    ["no JSON", { "content-type": "text/plain" }, 400],
    ["no email", {}, 400],
  ])("%s: %j is a clear 4xx", async (_, headers, status) => {
    const answer = await deployment
      .browser()
      .post("/api/auth/sign-in/email", { password: 5 }, headers as Record<string, string>);
    expect([answer.status, answer.body]).toEqual([
      status,
      { success: false, error: expect.any(String), ...answer.body },
    ]);
    expect(JSON.stringify(answer.body)).not.toMatch(/stack|prisma|select/i);
  });

  test("settings: read and changed over REST and in the browser, noted once, refused where wrong", async () => {
    const { account, browser } = await deployment.signedIn();
    const rest = (method: string, body?: unknown) =>
      callAt(deployment.product.url, method, "/v1/account", { key: account.apikey, body });
    expect((await rest("GET")).body).toMatchObject({
      email: account.email,
      time_zone: "Asia/Shanghai",
      language: null,
    });
    expect((await rest("POST", { time_zone: "Europe/Berlin", language: "en" })).body).toMatchObject({
      time_zone: "Europe/Berlin",
      language: "en",
    });
    await rest("POST", { time_zone: "Europe/Berlin" });
    await browser.post("/api/trpc/accounts.updateSettings", { language: null });
    for (const body of [
      {},
      { time_zone: "Mars/Olympus" },
      { time_zone: "+08:00" },
      { time_zone: 5 },
      { language: "fr" },
    ]) {
      expect((await rest("POST", body)).status).toBe(400);
    }
    const [, ...events] = await deployment.events(account.account_id);
    expect(events).toMatchObject([
      {
        action: "account.settings_changed",
        actor: "rest",
        before: { time_zone: "Asia/Shanghai", language: null },
        after: { time_zone: "Europe/Berlin", language: "en" },
      },
      { action: "account.settings_changed", actor: "browser", before: { language: "en" }, after: { language: null } },
    ]);
  });
});

test("without the database: 503 in the shape of every error, and when to come back", async () => {
  const folder = await dataFolder();
  const env = { DATA_DIR: folder.path, DATABASE_URL: "postgresql://allowance:hunter2@127.0.0.1:1/none" };
  const product = await startProduct({ env });
  try {
    const answer = await new Browser(product.url).signIn("a@example.com", PASSWORD);
    expect([answer.status, answer.headers.get("retry-after"), answer.body]).toEqual([
      503,
      "1",
      {
        success: false,
        error: "the database cannot be reached or is too busy; try again later",
        code: "database_away",
      },
    ]);
  } finally {
    await product.stop();
    await folder.remove();
  }
});
