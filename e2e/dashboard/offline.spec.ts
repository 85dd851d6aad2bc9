import { expect } from "playwright/test";
import { test } from "./account";
import { KeysPage } from "./pages/keys";
import { SettingsPage } from "./pages/settings";
import { SignInPage } from "./pages/sign-in";

/** A page of the browser would stand in the place of the one that is left. */
test("a theme that is chosen while the server is away applies at once, and the page stays", async ({
  page,
  context,
  account: _,
}) => {
  const settings = new SettingsPage(page);
  await settings.open();
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  const asked = page.waitForEvent("requestfailed");
  await settings.choose("Appearance", "Dark");
  await asked;
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(settings.choice("Appearance", "Dark")).toBeChecked();
  await page.getByRole("button", { name: /^Account/ }).click();
  await expect(page.getByRole("menuitemradio", { name: "Dark" })).toBeChecked();
  await page.getByRole("menuitemradio", { name: "Light" }).click();
  await expect(settings.choice("Appearance", "Light")).toBeChecked();
  await settings.expectHeading("Settings");
  await context.setOffline(false);
  await settings.open();
  await expect(settings.choice("Appearance", "Light")).toBeChecked();
});

test("a language that is chosen before sign-in while the server is away is kept, and so is what was typed", async ({
  page,
  context,
  baseURL,
}) => {
  const signIn = new SignInPage(page, baseURL ?? "");
  await signIn.open();
  await page.waitForLoadState("networkidle");
  const email = page.getByRole("textbox").first();
  await email.fill("owner@example.com");
  await context.setOffline(true);
  const asked = page.waitForEvent("requestfailed");
  await signIn.chooseLanguage("简体中文");
  await asked;
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
  await expect(email).toHaveValue("owner@example.com");
  await context.setOffline(false);
  await signIn.chooseLanguage("简体中文");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("登录");
  await expect(email).toHaveValue("owner@example.com");
});

test("a page that failed stays while the server is away, and comes when it is tried again after", async ({
  page,
  context,
  account,
}) => {
  await account.newKey("one");
  const keys = new KeysPage(page);
  await keys.open();
  // What the page reads by itself after it was drawn must not fail before the search does.
  await page.waitForLoadState("networkidle");
  const lists = "**/api/trpc/keys.list?*";
  // No page can show such an answer.
  await page.route(lists, (route) => route.fulfill({ json: { result: { data: { data: 7 } } } }));
  await keys.search("one");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Something went wrong");
  await page.unroute(lists);
  const retry = page.getByRole("button", { name: "Try again" });
  await context.setOffline(true);
  const asked = page.waitForEvent("requestfailed");
  await retry.click();
  await asked;
  await expect(retry).not.toHaveAttribute("aria-disabled");
  await expect(heading).toHaveText("Something went wrong");
  await context.setOffline(false);
  await retry.click();
  await expect(keys.heading).toBeVisible();
  await expect(keys.row("one")).toBeVisible();
});
