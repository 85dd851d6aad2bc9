import { expect, type Page } from "playwright/test";
import { newOwner, test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { hold } from "./hold";
import { holdScripts } from "./late-scripts";
import { SignInPage } from "./pages/sign-in";

const url = process.env.PRODUCT_URL ?? "";

/** Waits until the scripts of the page to sign in are at work. They show this button; the page is loaded before. */
function expectScripts(page: Page): Promise<void> {
  return expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
}

test("a page that wants a session asks to sign in, and comes back", async ({ page }) => {
  const owner = await newOwner();
  const signIn = new SignInPage(page, url);
  await page.goto("/groups?search=a");
  await expect(page).toHaveURL(`${url}/sign-in?next=${encodeURIComponent("/groups?search=a")}`);
  await signIn.signIn(owner.email, "not the password");
  await expect(signIn.alert).toHaveText("Email or password is wrong.");
  await expect(page.getByLabel("Email")).toHaveValue(owner.email);
  await signIn.watchButton("Sign in");
  await signIn.signIn(owner.email, owner.password);
  await expect(page).toHaveURL(`${url}/groups?search=a`);
  await signIn.expectButtonWasBusy();
  await page.goto("/sign-in?next=/settings");
  await expect(page).toHaveURL(`${url}/settings`);
});

test("what is entered before the scripts of the page are there signs in", async ({ page }) => {
  const owner = await newOwner();
  const scripts = await holdScripts(page);
  await page.goto(`${url}/sign-in`, { waitUntil: "commit" });
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  scripts.release();
  await expectScripts(page);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${url}/overview`);
});

test("what is sent before the scripts of the page are there is sent once with them; the way back stays", async ({
  page,
  account,
}) => {
  await page.context().clearCookies();
  const scripts = await holdScripts(page);
  const address = "/sign-in?next=%2Fgroups";
  await page.goto(address, { waitUntil: "commit" });
  await page.getByLabel("Email").fill(account.email);
  await page.getByLabel("Password").fill(account.password);
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/sign-in/email")) sent++;
  });
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(address);
  await expect(page.getByLabel("Password")).toHaveValue(account.password);
  scripts.release();
  await expect(page).toHaveURL("/groups");
  expect(sent).toBe(1);
});

test("nobody is sent to another site", async ({ page }) => {
  const owner = await newOwner();
  const signIn = new SignInPage(page, url);
  await signIn.open("?next=//evil.example/");
  await signIn.signIn(owner.email, owner.password);
  await expect(page).toHaveURL(`${url}/overview`);
});

test("with the keyboard alone; what is missing is said at the field", async ({ page }) => {
  const owner = await newOwner();
  await new SignInPage(page, url).open();
  await page.getByLabel("Email").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Enter your email address.")).toBeVisible();
  await expect(page.getByText("Enter your password.")).toBeVisible();
  // The first wrong field has the focus at once: a focus that moved later could take what is typed by then.
  const focused = await page.locator("form").evaluate((form: HTMLFormElement) => {
    form.querySelector<HTMLInputElement>("[type=password]")?.focus();
    form.requestSubmit();
    return document.activeElement?.getAttribute("type");
  });
  expect(focused).toBe("email");
  await page.keyboard.type(owner.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(owner.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${url}/overview`);
});

test("what is no email, and no password in its length, is told in words", async ({ page }) => {
  const signIn = new SignInPage(page, url);
  await signIn.open();
  await signIn.signIn("owner", "any password at all");
  await expect(signIn.alert).toHaveText("This is not an email address. Enter all of it, such as name@example.com.");
  await signIn.signIn("owner@example.com", "x".repeat(129));
  await expect(signIn.alert).toHaveText("A password has at most 128 characters. Check what you have entered.");
});

test("another account that signs in in a second tab: the first tab shows no mixture of both", async ({
  page,
  context,
  account,
  other,
}) => {
  await account.newKey("key of the first");
  await other.newKey("key of the second");
  await page.goto("/keys");
  await expect(page.getByText("key of the first")).toBeVisible();
  await context.clearCookies();
  const tab = await context.newPage();
  const signIn = new SignInPage(tab, url);
  await signIn.open("?next=/groups");
  await signIn.signIn(other.email, other.password);
  await expect(tab).toHaveURL(`${url}/groups`);
  await expect(page.getByText("key of the second")).toBeVisible();
  await expect(page.getByText("key of the first")).toBeHidden();
  await page.getByRole("button", { name: "Account" }).click();
  await expect(page.getByRole("menu")).toContainText(other.email);
});

test("a junk cookie of the session's name asks to sign in, and hides no session", async ({
  page,
  context,
  account,
}) => {
  const junk = { name: "allowance.session_token", domain: "localhost" };
  // A browser sends the cookie of the longer path first.
  await context.addCookies(
    ["%E0%A4%A", "x".repeat(3_000)].map((value, i) => ({ ...junk, value, path: i ? "/keys" : "/settings" })),
  );
  for (const path of ["/keys", "/settings"]) {
    expect((await page.goto(path))?.status()).toBe(200);
    await expect(page).toHaveURL(`${url}${path}`);
  }
  expect(account.email).toContain("@");
  await context.clearCookies({ path: "/" });
  for (const path of ["/keys", "/settings"]) {
    await page.goto(path);
    await expect(page).toHaveURL(`${url}/sign-in?next=${encodeURIComponent(path)}`);
  }
});

test("the server away: it is said, and what was typed stays", async ({ page }) => {
  const signIn = new SignInPage(page, url);
  await signIn.open();
  await page.route("**/api/auth/**", (route) => route.abort());
  await signIn.signIn("a@example.com", "a password");
  await expect(signIn.alert).toHaveText("The server cannot be reached. Try again.");
  await expect(page.getByLabel("Password")).toHaveValue("a password");
});

test("too many attempts: how long to wait", async ({ page }) => {
  const { email } = await newOwner();
  const signIn = new SignInPage(page, url);
  await signIn.open();
  // In the page, because they count for the address that they come from.
  await page.evaluate(
    async (body) => {
      const headers = { "Content-Type": "application/json" };
      for (let attempt = 0; attempt < 10; attempt++) {
        await fetch("/api/auth/sign-in/email", { method: "POST", headers, body });
      }
    },
    JSON.stringify({ email, password: "not the password" }),
  );
  await signIn.signIn(email, "not the password");
  await expect(signIn.alert).toHaveText("Too many attempts. Try again in 15 minutes.");
});

test("where sign-up is closed there is no page for it, and no single sign-on where there is none", async ({ page }) => {
  expect((await page.goto("/sign-up"))?.status()).toBe(404);
  await new SignInPage(page, url).open();
  await expect(page.getByText("No account yet?")).toBeHidden();
  await expect(page.getByRole("button", { name: /^Sign in with SSO/ })).toBeHidden();
});

test("the language is chosen before signing in, and kept; what was typed stays", async ({ page }) => {
  const signIn = new SignInPage(page, url);
  await signIn.open();
  await page.getByLabel("Email").fill("nobody@example.com");
  await signIn.chooseLanguage("简体中文");
  await expect(page.getByRole("heading", { level: 1, name: "登录" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page.getByLabel("邮箱")).toHaveValue("nobody@example.com");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByText("请输入密码。")).toBeVisible();
  await page.getByLabel("密码").fill("some password");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByText("邮箱或密码不正确。")).toBeVisible();
  // The sentence of the server has a parameter and a bound.
  await page.getByLabel("邮箱").fill(`${"a".repeat(4096)}@example.com`);
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByText("邮箱：最多 4,096 个字符。")).toBeVisible();
  await page.getByText("忘记密码？").click();
  await expect(page.getByText("account:recover")).toBeVisible();
  await expectFitForAll(page);
  await page.goto("/sign-in");
  await expect(page.getByRole("heading", { level: 1, name: "登录" })).toBeVisible();
});

test("a password shows when asked to, and a lost one has a way out", async ({ page }) => {
  const signIn = new SignInPage(page, url);
  await signIn.open();
  await page.getByLabel("Password").fill("a password");
  await expect(page.getByLabel("Password")).toHaveAttribute("type", "password");
  const show = page.getByRole("button", { name: "Show the password" });
  await show.click();
  await expect(show).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByLabel("Password")).toHaveAttribute("type", "text");
  await page.getByText("Lost your password?").click();
  await expect(page.getByText("npm run -s account:recover -- --email you@example.com")).toBeVisible();
  await expectFitForAll(page);
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByLabel("Password").press("Enter");
  await expect(signIn.alert).toHaveText("Email or password is wrong.");
  await expect(page.getByLabel("Password")).toHaveAttribute("type", "password");
});

test("what the provider refused is not told any more while a passkey is asked for", async ({ page }) => {
  const signIn = new SignInPage(page, url);
  await signIn.open("?error=access_denied");
  await expect(signIn.alert).toHaveText("The provider has not signed you in.");
  const asking = await hold(page, "**/api/auth/passkey/generate-authenticate-options");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await asking.asked;
  await expect(signIn.alert).toBeHidden();
});

test("the page is fit for all", async ({ page }) => {
  const signIn = new SignInPage(page, url);
  await signIn.open("?error=access_denied");
  await expect(signIn.alert).toHaveText("The provider has not signed you in.");
  await expectFitForAll(page);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expectFitForAll(page);
});
