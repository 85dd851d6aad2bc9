import { expect, type Page } from "playwright/test";
import { totpCode } from "../browser";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { loseAnswer } from "./hold";
import { addAuthenticator, SecurityPage } from "./pages/security";
import { SignInPage, signInInNewTab } from "./pages/sign-in";

const url = process.env.PRODUCT_URL ?? "";

/** A second browser that is signed in to the same account. */
async function elsewhere(browser: import("playwright/test").Browser, account: { email: string; password: string }) {
  const context = await browser.newContext({ userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" });
  const data = { email: account.email, password: account.password };
  expect((await context.request.post(`${url}/api/auth/sign-in/email`, { data })).status()).toBe(200);
  return context;
}

test("the password is changed, and every other browser is signed out", async ({ page, account, browser }) => {
  const other = await elsewhere(browser, account);
  const security = new SecurityPage(page);
  await security.open();
  const change = async (current: string, next: string) => {
    await security.password.getByLabel("Current password").fill(current);
    await security.password.getByLabel("New password").fill(next);
    await security.password.getByRole("button", { name: "Change password" }).click();
  };
  await change("", "short");
  await expect(security.password).toContainText("Enter your password.");
  await expect(security.password).toContainText("Enter at least 12 characters.");
  await change("not the password", "a new password");
  await expect(security.password.getByRole("alert")).toHaveText("The password is wrong.");
  await change(account.password, "a new password");
  await expect(security.password.getByRole("status")).toContainText("Your password is changed.");
  await expect(security.sessions.getByRole("listitem")).toHaveCount(1);
  expect((await other.request.get(`${url}/api/trpc/accounts.me`)).status()).toBe(401);
  await other.close();
  await page.reload();
  await expect(security.sessions).toBeVisible();
});

test("a new password: its strength shows while it is typed, and what is easy to guess is refused", async ({
  page,
  account,
}) => {
  const security = new SecurityPage(page);
  await security.open();
  const field = security.password.getByLabel("New password");
  const strength = security.password.getByRole("meter", { name: "Strength" });
  await security.password.getByLabel("Current password").fill(account.password);
  await expect(strength).toBeHidden();
  for (const [typed, word] of [
    ["h7Kq2", "Too short"],
    ["password1234", "Too easy to guess"],
    [account.email, "Made of your email"],
    ["january12021990", "Weak"],
    ["another password", "Good"],
    ["horses never paint the moon", "Strong"],
  ] as const) {
    await field.fill(typed);
    await expect(strength).toHaveAttribute("aria-valuetext", word);
    await expect(security.password.getByText(word, { exact: true })).toBeVisible();
  }
  await expectFitForAll(page);
  for (const [typed, sentence] of [
    ["password1234", "This is one of the commonest passwords, or made of them. Choose another one."],
    [account.email, "Choose a password that is not made of your email address."],
  ] as const) {
    await field.fill(typed);
    await security.password.getByRole("button", { name: "Change password" }).click();
    await expect(security.password.getByText(sentence)).toBeVisible();
    await expect(field).toBeFocused();
  }
  await expectFitForAll(page);
  await field.fill("horses never paint the moon");
  await security.password.getByRole("button", { name: "Change password" }).click();
  await expect(security.password.getByRole("status")).toContainText("Your password is changed.");
  await expect(strength).toBeHidden();
});

test("a password that the rules of the page did not see is refused in words by the server", async ({
  page,
  account,
}) => {
  const security = new SecurityPage(page);
  await security.open();
  // The rules come in a file of their own when somebody types. Here it does not come.
  await page.route("**/_next/static/**", (route) => route.abort());
  await security.password.getByLabel("Current password").fill(account.password);
  await security.password.getByLabel("New password").fill("password1234");
  await security.password.getByRole("button", { name: "Change password" }).click();
  await expect(security.password.getByRole("alert")).toHaveText(
    "This is one of the commonest passwords, or made of them. Choose another one.",
  );
});

test("a session that ends before the password is changed: it is told, and what was typed stays", async ({
  page,
  account,
}) => {
  const security = new SecurityPage(page);
  await security.open();
  await security.password.getByLabel("Current password").fill(account.password);
  await security.password.getByLabel("New password").fill("horses never paint the moon");
  await account.endSessions();
  const change = security.password.getByRole("button", { name: "Change password" });
  await change.click();
  await expect(security.password.getByRole("alert")).toContainText("Your session has ended.");

  const signIn = await signInInNewTab(security.password.getByRole("link", { name: "Sign in (new tab)" }), account);
  await signIn.arrivesAt("/settings");
  await signIn.page.close();
  await change.click();
  await expect(security.password.getByRole("status")).toContainText("Your password is changed.");
});

test("other browsers are listed by name, and signed out from here", async ({ page, account, browser }) => {
  const [first, second, third] = [
    await elsewhere(browser, account),
    await elsewhere(browser, account),
    await elsewhere(browser, account),
  ];
  const security = new SecurityPage(page);
  await security.open();
  await expect(security.sessions.getByRole("listitem")).toHaveCount(4);
  await expect(security.sessions.getByRole("paragraph").filter({ hasText: "Firefox on Linux" })).toHaveCount(3);
  await expect(security.sessions.getByText("This browser")).toBeVisible();
  await security.sessions.getByRole("button", { name: "Sign out Firefox on Linux" }).first().click();
  await expect(security.sessions.getByRole("listitem")).toHaveCount(3);
  await expect(security.news).toHaveText("Firefox on Linux is signed out.");
  await security.sessions.getByRole("button", { name: "Sign out all others" }).click();
  await expect(security.dialog).toContainText("2 browsers are signed out at once.");
  await expect(security.dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await security.press("Sign out all others");
  await expect(security.sessions.getByRole("listitem")).toHaveCount(1);
  await expect(security.news).toContainText("Every other browser is signed out.");
  for (const context of [first, second, third]) {
    expect((await context.request.get(`${url}/api/trpc/accounts.me`)).status()).toBe(401);
    await context.close();
  }
});

test("a browser that could not be signed out is signed out by trying again", async ({ page, account, browser }) => {
  const other = await elsewhere(browser, account);
  const security = new SecurityPage(page);
  await security.open();
  const revocation = "**/api/trpc/accounts.revokeSession**";
  await page.route(revocation, (route) => route.abort());
  await security.sessions.getByRole("button", { name: "Sign out Firefox on Linux" }).click();
  const alert = security.sessions.getByRole("alert");
  await expect(alert).toContainText("The server cannot be reached.");
  await page.unroute(revocation);
  await security.sessions.getByRole("button", { name: "Try again" }).click();
  await expect(security.sessions).toBeFocused();
  await expect(security.sessions.getByRole("listitem")).toHaveCount(1);
  await expect(alert).toBeHidden();
  await other.close();
});

test("a session that ends meanwhile is told", async ({ page, account, browser }) => {
  const security = new SecurityPage(page);
  await security.open();
  const other = await elsewhere(browser, account);
  await other.request.post(`${url}/api/trpc/accounts.revokeOtherSessions`, { data: {} });
  await other.close();
  await page.reload();
  await expect(page).toHaveURL(`${url}/sign-in?next=%2Fsettings`);
});

test("a second factor: set up with an app, asked for, backup codes, turned off", async ({ page, account }) => {
  const security = new SecurityPage(page);
  await security.open();
  await security.secondFactor.getByRole("button", { name: "Set up" }).click();
  await security.dialog.getByLabel("Password").fill("not the password");
  await security.press("Continue");
  await expect(security.dialog.getByRole("alert")).toHaveText("The password is wrong.");
  await security.press("Cancel");

  const secret = await security.startSecondFactor(account.password);
  await expectFitForAll(page);
  await security.dialog.getByLabel("Code of the app").fill("000000");
  await security.press("Turn on");
  await expect(security.dialog.getByRole("alert")).toHaveText("The code is wrong or out of date.");
  // The field has the focus, and what is typed takes the place of the wrong code.
  await expect(security.dialog.getByLabel("Code of the app")).toBeFocused();
  await page.keyboard.type(totpCode(secret));
  await security.press("Turn on");
  await expect(security.dialog.getByRole("heading", { name: "Backup codes" })).toBeVisible();
  const codes = await security.dialog.getByRole("group", { name: "Backup codes" }).locator("code").textContent();
  await expectFitForAll(page);
  await security.press("I have kept them");
  await expect(security.secondFactor).toContainText("On.");

  await page.context().clearCookies();
  const signIn = new SignInPage(page, url);
  await signIn.open();
  await signIn.signIn(account.email, account.password);
  await signIn.enterCode("Code", "000000");
  await expect(signIn.alert).toHaveText("The code is wrong or out of date.");
  await expectFitForAll(page);
  await expect(page.getByLabel("Code", { exact: true })).toBeFocused();
  await signIn.watchButton("Continue");
  // The code of the next step, because that of this one was used to turn the second factor on.
  await page.keyboard.type(totpCode(secret, Date.now() + 30_000));
  await page.keyboard.press("Enter");
  await signIn.arrivesAt(`${url}/overview`);
  // Until the page is there, the code cannot be sent again: it is used.
  await signIn.expectButtonWasBusy();

  await page.context().clearCookies();
  await signIn.open();
  await signIn.signIn(account.email, account.password);
  await page.getByRole("button", { name: "Use a backup code" }).click();
  await signIn.enterCode("Backup code", codes?.split("\n")[0] ?? "");
  await signIn.arrivesAt(`${url}/overview`);

  await security.open();
  await security.secondFactor.getByRole("button", { name: "New backup codes" }).click();
  await security.dialog.getByLabel("Password").fill(account.password);
  await security.press("Make new codes");
  await expect(security.dialog.getByRole("group", { name: "Backup codes" })).not.toContainText(codes ?? "-");
  await security.press("I have kept them");
  await security.secondFactor.getByRole("button", { name: "Turn off" }).click();
  await security.dialog.getByLabel("Password").fill(account.password);
  await security.press("Turn off");
  await expect(security.secondFactor).toContainText("Off.");
  await expect(security.news).toHaveText("The second factor is off.");
});

test("a second factor whose answers were lost: its backup codes are shown in the end, and it is turned off", async ({
  page,
  account,
}) => {
  const security = new SecurityPage(page);
  const alert = security.dialog.getByRole("alert");
  const press = async (button: string, lost: string) => {
    await loseAnswer(page, `**/api/auth/two-factor/${lost}`);
    await security.press(button);
    await expect(alert).toHaveText("The server cannot be reached. Try again.");
  };
  /** The lost answer had a new session, and the earlier one is over. */
  const signInAgain = async () => {
    await expect(alert).toContainText("Your session has ended. What you typed is still here");
    return signInInNewTab(security.dialog.getByRole("link", { name: "Sign in (new tab)" }), account);
  };
  await security.open();
  const secret = await security.startSecondFactor(account.password);
  await security.dialog.getByLabel("Code of the app").fill(totpCode(secret));
  await press("Turn on", "verify-totp");
  await security.press("Turn on");
  const signIn = await signInAgain();
  await signIn.enterCode("Code", totpCode(secret, Date.now() + 30_000));
  await signIn.arrivesAt(`${url}/settings`);
  await signIn.page.close();
  // The code of the first attempt is used.
  await security.press("Turn on");
  const codes = security.dialog.getByRole("group", { name: "Backup codes" });
  await expect(codes).toBeVisible();
  const first = (await codes.locator("code").textContent()) ?? "";
  await security.press("I have kept them");
  await expect(security.secondFactor).toContainText("On.");

  await security.secondFactor.getByRole("button", { name: "New backup codes" }).click();
  await security.dialog.getByLabel("Password").fill(account.password);
  await press("Make new codes", "generate-backup-codes");
  await expect(security.dialog).toContainText("Your earlier backup codes may be good no more");
  await expectFitForAll(page);
  await security.press("Make new codes");
  await expect(codes).toBeVisible();
  await expect(codes).not.toContainText(first);
  await security.press("I have kept them");

  await security.secondFactor.getByRole("button", { name: "Turn off" }).click();
  await security.dialog.getByLabel("Password").fill(account.password);
  await press("Turn off", "disable");
  await security.press("Turn off");
  await (await signInAgain()).arrivesAt(`${url}/settings`);
  await security.press("Turn off");
  await expect(security.news).toContainText("The second factor is off.");
  await expect(security.secondFactor).toContainText("Off.");
});

/** Adds a passkey, whose answer is lost. The dialog stays open. */
async function addPasskeyUnanswered(page: Page): Promise<SecurityPage> {
  await addAuthenticator(page);
  const security = new SecurityPage(page);
  await security.open();
  await loseAnswer(page, "**/api/auth/passkey/verify-registration");
  await security.addPasskey("Laptop");
  await expect(security.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  return security;
}

test("a passkey whose addition or removal was not answered is added or removed when it is tried again", async ({
  page,
  account: _,
}) => {
  const security = await addPasskeyUnanswered(page);
  await security.press("Continue");
  await expect(security.news).toContainText("Passkey “\u2068Laptop\u2069” added.");
  await expect(security.passkeys.getByRole("listitem")).toContainText("Laptop");
  await security.passkeys.getByRole("button", { name: "Remove Laptop" }).click();
  await loseAnswer(page, "**/api/trpc/accounts.removePasskey**");
  await security.press("Remove passkey");
  await expect(security.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await security.press("Remove passkey");
  await expect(security.news).toContainText("Passkey “\u2068Laptop\u2069” removed.");
  await expect(security.passkeys.getByRole("listitem")).toHaveCount(0);
});

test("a passkey whose answer was lost is there, although its dialog was given up", async ({ page, account: _ }) => {
  const security = await addPasskeyUnanswered(page);
  await security.press("Cancel");
  await expect(security.passkeys.getByRole("listitem")).toContainText("Laptop");
});

test("a password whose change was not answered is changed when it is tried again", async ({ page, account }) => {
  const security = new SecurityPage(page);
  await security.open();
  const next = "horses never paint the moon";
  await security.password.getByLabel("Current password").fill(account.password);
  await security.password.getByLabel("New password").fill(next);
  const change = security.password.getByRole("button", { name: "Change password" });
  const alert = security.password.getByRole("alert");
  await loseAnswer(page, "**/api/auth/change-password");
  await change.click();
  await expect(alert).toHaveText("The server cannot be reached. Try again.");
  await change.click();
  await expect(alert).toContainText("Your session has ended.");
  const link = security.password.getByRole("link", { name: "Sign in (new tab)" });
  const signIn = await signInInNewTab(link, { ...account, password: next });
  await signIn.arrivesAt(`${url}/settings`);
  await signIn.page.close();
  await change.click();
  await expect(security.password.getByRole("status")).toContainText("Your password is changed.");
});

test("a second factor that another browser turned on or off meanwhile: it is told, and not a code", async ({
  page,
  account,
  browser,
}) => {
  const other = await elsewhere(browser, account);
  const { password } = account;
  const elsewhereAt = async (path: string, data: object) => {
    const answer = await other.request.post(`${url}/api/auth/two-factor/${path}`, { data });
    expect(answer.status()).toBe(200);
    return answer.json();
  };
  const turnOn = async () => {
    const { totpURI } = await elsewhereAt("enable", { password });
    await elsewhereAt("verify-totp", { code: totpCode(new URL(totpURI).searchParams.get("secret") ?? "") });
  };
  const security = new SecurityPage(page);
  await security.open();
  await security.secondFactor.getByRole("button", { name: "Set up" }).click();
  await turnOn();
  await security.dialog.getByLabel("Password").fill(password);
  await security.press("Continue");
  await expect(security.dialog.getByRole("alert")).toHaveText(
    "The second factor was turned on meanwhile, in another browser. Load this page again.",
  );
  await page.reload();
  await security.secondFactor.getByRole("button", { name: "New backup codes" }).click();
  await elsewhereAt("disable", { password });
  await security.dialog.getByLabel("Password").fill(password);
  await security.press("Make new codes");
  const turnedOff = "The second factor was turned off meanwhile, in another browser. Start again.";
  await expect(security.dialog.getByRole("alert")).toHaveText(turnedOff);

  await turnOn();
  await page.context().clearCookies();
  const signIn = new SignInPage(page, url);
  await signIn.open();
  await signIn.signIn(account.email, password);
  await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
  await elsewhereAt("disable", { password });
  await signIn.enterCode("Code", "123456");
  await expect(signIn.alert).toHaveText(turnedOff);
  await page.getByRole("button", { name: "Use a backup code" }).click();
  await signIn.enterCode("Backup code", "abcde-fghij");
  await expect(signIn.alert).toHaveText(turnedOff);
  await other.close();
});

test("a passkey is added, named, signs in by itself, and is removed", async ({ page, account }) => {
  await addAuthenticator(page);
  const security = new SecurityPage(page);
  await security.open();
  await security.passkeys.getByRole("button", { name: "Add passkey" }).click();
  await security.press("Continue");
  await expect(security.dialog).toContainText("Enter a name.");
  await expectFitForAll(page);
  await security.press("Cancel");
  await security.addPasskey("My <b>laptop</b>");
  await expect(security.passkeys.getByRole("listitem")).toContainText("My <b>laptop</b>");
  await expect(security.news).toContainText("Passkey “⁨My <b>laptop</b>⁩” added.");
  await security.passkeys.getByRole("button", { name: "Rename My <b>laptop</b>" }).click();
  await security.dialog.getByLabel("Name").fill("Laptop");
  await security.press("Rename");
  await expect(security.passkeys.getByRole("listitem")).toContainText("Laptop");
  await expect(security.news).toContainText("Passkey renamed to “⁨Laptop⁩”.");
  await security.addPasskey("Twice");
  await expect(security.dialog.getByRole("alert")).toHaveText("This device has a passkey of the account already.");
  await security.press("Cancel");
  await expectFitForAll(page);

  await page.context().clearCookies();
  const signIn = new SignInPage(page, url);
  await signIn.open("?next=/settings");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await signIn.arrivesAt(`${url}/settings`);
  await expect(page.getByText(account.email).first()).toBeVisible();

  await security.passkeys.getByRole("button", { name: "Remove Laptop" }).click();
  await expect(security.dialog.getByRole("heading")).toHaveText("Remove passkey “Laptop”?");
  await expectFitForAll(page);
  await security.press("Remove passkey");
  await expect(security.passkeys.getByRole("listitem")).toHaveCount(0);
  await expect(security.news).toContainText("Passkey “⁨Laptop⁩” removed.");
  await page.context().clearCookies();
  await signIn.open();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(signIn.alert).toHaveText("This passkey belongs to no account here.");
});

test("when the sign-in methods are read by trying again, the focus stays at them", async ({ page, account: _ }) => {
  await addAuthenticator(page);
  const security = new SecurityPage(page);
  await security.open();
  await page.route("**/api/trpc/accounts.signInMethods**", (route) => route.abort());
  await security.addPasskey("Laptop");
  const methods = page.getByRole("region", { name: "Signing in" });
  await expect(methods.getByRole("alert")).toContainText("The server cannot be reached.");
  await page.unrouteAll();
  await methods.getByRole("button", { name: "Try again" }).click();
  await expect(methods.getByRole("alert")).toBeHidden();
  await expect(methods).toBeFocused();
  await expect(security.passkeys.getByRole("listitem")).toContainText("Laptop");
});

test("in Chinese, the sections speak Chinese", async ({ page, account }) => {
  expect(
    (await page.request.post(`${url}/api/trpc/accounts.updateSettings`, { data: { language: "zh-CN" } })).status(),
  ).toBe(200);
  await page.goto("/settings");
  await expect(page.getByRole("region", { name: "两步验证" })).toContainText("未开启");
  await page.getByRole("region", { name: "两步验证" }).getByRole("button", { name: "设置" }).click();
  await page.locator("dialog[open]").getByLabel("密码").fill(account.password);
  await page.locator("dialog[open]").getByRole("button", { name: "继续" }).click();
  await expect(page.getByRole("img", { name: "身份验证器应用的二维码" })).toBeVisible();
  await expectFitForAll(page);
});
