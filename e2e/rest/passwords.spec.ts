import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Deployment, me } from "./deployment";

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.start({ SIGN_UP: "open" });
});
afterAll(() => deployment.stop());

describe("a new account", () => {
  test.each([
    ["one of the commonest", "1qaz2wsx3edc", "PASSWORD_TOO_COMMON"],
    ["made of common ones", "Password1234!", "PASSWORD_TOO_COMMON"],
    ["made of the email", "JoanOfArc2024", "PASSWORD_MADE_OF_EMAIL"],
    ["too short", "h7Kq2vX9mP4", "INVALID_INPUT"],
  ])("by sign-up, with a password that is %s: 400, and none is made", async (_, password, code) => {
    const sent = { email: "joan.of.arc@example.com", password };
    const answer = await deployment.browser().post("/api/auth/sign-up", sent);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.error).toMatch(/^password: /);
    expect(await deployment.db.prisma.account.count({ where: { email: sent.email } })).toBe(0);
  });

  test("by the set-up link, with a password that is easy to guess: 400, and the link stays good", async () => {
    const empty = await Deployment.start();
    const token = await empty.printed(/set-up\?token=(\S+)/);
    const first = empty.browser();
    const email = "first@example.com";
    for (const [password, code] of [
      ["password1234", "PASSWORD_TOO_COMMON"],
      ["first@example.com", "PASSWORD_MADE_OF_EMAIL"],
    ] as const) {
      const refused = await first.post("/api/auth/set-up", { token, email, password });
      expect([refused.status, refused.body.code]).toEqual([400, code]);
    }
    const made = await first.post("/api/auth/set-up", { token, email, password: "horses never paint" });
    await empty.stop();
    expect(made.status).toBe(200);
  });
});

describe("a change of the password", () => {
  test("ends the other sessions, whatever the client asks for", async () => {
    const { account, browser } = await deployment.signedIn();
    let password = account.password;
    for (const [next, wish] of [
      ["the second of my passwords", {}],
      ["the third of my passwords", { revokeOtherSessions: false }],
    ] as const) {
      const other = deployment.browser();
      await other.signIn(account.email, password);
      const body = { currentPassword: password, newPassword: next, ...wish };
      expect((await browser.post("/api/auth/change-password", body)).status).toBe(200);
      expect([(await me(browser)).status, (await me(other)).status]).toEqual([200, 401]);
      password = next;
    }
  });

  test.each([
    [
      "one of the commonest",
      "1qaz2wsx3edc",
      "PASSWORD_TOO_COMMON",
      "newPassword: is too easy to guess: it is one of the commonest passwords, or made of them",
    ],
    ["made of common ones", "Password1234!", "PASSWORD_TOO_COMMON", expect.stringMatching(/^newPassword: /)],
    ["made of the email", "EMAIL", "PASSWORD_MADE_OF_EMAIL", "newPassword: must not be made of the email address"],
    ["too short", "h7Kq2vX9mP4", "PASSWORD_TOO_SHORT", "Password too short"],
  ])("to one that is %s is refused, and the old one stays", async (_, newPassword, code, error) => {
    const { account, browser } = await deployment.signedIn();
    const body = { currentPassword: account.password, newPassword: newPassword.replace("EMAIL", account.email) };
    const answer = await browser.post("/api/auth/change-password", body);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error, code }]);
    expect((await deployment.browser().signIn(account.email, account.password)).status).toBe(200);
  });

  test("a password from before the rules goes on signing in", async () => {
    const account = await deployment.newAccount();
    const { hashPassword } = await import("better-auth/crypto");
    await deployment.db.prisma.signInMethod.updateMany({
      where: { userId: account.account_id },
      data: { password: await hashPassword("password12") },
    });
    expect((await deployment.browser().signIn(account.email, "password12")).status).toBe(200);
  });
});

test("changing the password wants the old one, ends the other sessions, and stands in the history", async () => {
  const PASSWORD = "a password of some length";
  const { account, browser } = await deployment.signedIn();
  const other = deployment.browser();
  await other.signIn(account.email, account.password);
  const change = (currentPassword: string, newPassword: string) =>
    browser.post("/api/auth/change-password", { currentPassword, newPassword, revokeOtherSessions: true });
  expect((await change(PASSWORD, "another password")).body.code).toBe("INVALID_PASSWORD");
  expect((await change(account.password, "short")).body.code).toBe("PASSWORD_TOO_SHORT");
  expect((await change(account.password, PASSWORD)).status).toBe(200);
  expect([(await me(browser)).status, (await me(other)).status]).toEqual([200, 401]);
  expect((await other.signIn(account.email, account.password)).status).toBe(401);
  expect((await other.signIn(account.email, PASSWORD)).status).toBe(200);
  const [, event] = await deployment.events(account.account_id);
  expect(event).toMatchObject({
    action: "sign_in.password_changed",
    actor: "browser",
    actorName: account.email,
    address: browser.headers["x-forwarded-for"]?.split(", ")[1],
  });
});
