import { expect } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { expectNoSidewaysScroll } from "./overflow";
import { SettingsPage } from "./pages/settings";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test.describe("in Berlin", () => {
  test.use({ timezoneId: "Europe/Berlin" });

  test("the time zone is searched for, and decides how dates are told", async ({ page, account }) => {
    const settings = new SettingsPage(page);
    await settings.open();
    await expect(settings.zone).toHaveValue("Asia/Shanghai");
    await expect(page.getByText(/^There it is .* GMT\+8 now\.$/)).toBeVisible();
    // The options that the browser offers while the reader types.
    await expect(page.locator("datalist option[value='Pacific/Kiritimati']")).toHaveCount(1);

    await settings.zone.fill("Mars/Olympus");
    await settings.zone.press("Enter");
    await expect(page.getByText("Choose a zone from the list")).toBeVisible();
    await expect(settings.zone).toHaveAttribute("aria-invalid", "true");

    await settings.saveZone("Pacific/Kiritimati");
    await expect(settings.news).toContainText("The time zone is Pacific/Kiritimati now.");
    await expect(page.getByText(/^There it is .* GMT\+14 now\.$/)).toBeVisible();
    expect((await account.call("GET", "/v1/account")).time_zone).toBe("Pacific/Kiritimati");
    const { created_at } = await account.call("GET", `/v1/apikeys/${account.apikey.slice(0, 10)}`);
    const told = new Intl.DateTimeFormat("en", {
      dateStyle: "medium",
      timeStyle: "short",
      hourCycle: "h23",
      timeZone: "Pacific/Kiritimati",
    }).format(created_at * 1000);
    await expect(settings.defaultKey).toContainText(told);

    await page.getByRole("button", { name: "Use this browser's zone, Europe/Berlin" }).click();
    await expect(settings.zone).toHaveValue("Europe/Berlin");
    await page.getByRole("button", { name: "Save zone" }).click();
    await expect(settings.news).toContainText("The time zone is Europe/Berlin now.");
    await expect(page.getByRole("button", { name: "Save zone" })).toBeDisabled();
    await page.reload();
    await expect(settings.zone).toHaveValue("Europe/Berlin");
    await expect(page.getByRole("button", { name: /^Use this browser's zone/ })).toBeHidden();
  });
});

test("a page that cannot be drawn again right after something was saved stays as it is, with what was typed", async ({
  page,
  account,
}) => {
  const settings = new SettingsPage(page);
  await settings.open();
  const address = page.getByRole("textbox", { name: "Address of the gateway" });
  await address.fill("https://gateway.example.com/v1");
  /** The line breaks when the change is answered. Resolves when the server was not reached after that. */
  const breakLine = async () => {
    await page.route(
      "**/api/trpc/accounts.updateSettings",
      async (route) => {
        const response = await route.fetch();
        await page.route("**/*", (other) => (other === route ? other.fallback() : other.abort()));
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await page.waitForEvent("requestfailed", (request) => request.url().endsWith("/api/trpc/accounts.me"));
    await page.unroute("**/*");
  };
  let broken = breakLine();
  await settings.saveZone("Asia/Tokyo");
  await broken;
  await expect(settings.news).toContainText("The time zone is Asia/Tokyo now.");
  await expect(address).toHaveValue("https://gateway.example.com/v1");
  broken = breakLine();
  await settings.choose("Language", "简体中文");
  await broken;
  await expect(address).toHaveValue("https://gateway.example.com/v1");
  expect(await account.call("GET", "/v1/account")).toMatchObject({ time_zone: "Asia/Tokyo", language: "zh-CN" });
  await settings.choose("Language", "简体中文");
  await settings.expectHeading("设置");
});

test("the language changes the whole page at once, and stays", async ({ page, context, account }) => {
  const settings = new SettingsPage(page);
  await settings.open();
  await expect(settings.choice("Language", "Like the browser")).toBeChecked();
  await settings.choose("Language", "简体中文");
  await settings.expectHeading("设置");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page.getByRole("link", { name: "密钥", exact: true })).toBeVisible();
  await expect(page).toHaveTitle("设置 · Allowance");
  expect((await account.call("GET", "/v1/account")).language).toBe("zh-CN");
  await page.reload();
  await settings.expectHeading("设置");
  // The choice belongs to the account, not to this browser.
  await context.clearCookies({ name: "language" });
  await settings.open("设置");

  await settings.choose("语言", "跟随浏览器");
  await settings.expectHeading("Settings");
  await page.reload();
  await settings.expectHeading("Settings");
  expect((await account.call("GET", "/v1/account")).language).toBeNull();
});

test("a language that cannot be saved is told, and tried again", async ({ page, account: _ }) => {
  const settings = new SettingsPage(page);
  await settings.open();
  await page.route("**/api/trpc/**", (route) => route.abort());
  await settings.choose("Language", "简体中文");
  await expect(page.getByRole("alert").filter({ hasText: "The server cannot be reached" })).toBeVisible();
  await expect(settings.choice("Language", "Like the browser")).toBeChecked();
  await page.unroute("**/api/trpc/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await settings.expectHeading("设置");
});

test("the appearance changes at once, and stays", async ({ page, account: _ }) => {
  const settings = new SettingsPage(page);
  const background = () => page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
  await settings.open();
  const light = await background();
  await settings.choose("Appearance", "Dark");
  await expect(settings.choice("Appearance", "Dark")).toBeChecked();
  expect(await background()).not.toBe(light);
  await page.reload();
  await expect(settings.choice("Appearance", "Dark")).toBeChecked();
  expect(await background()).not.toBe(light);
  await settings.choose("Appearance", "Like the device");
  await expect(settings.choice("Appearance", "Like the device")).toBeChecked();
  expect(await background()).toBe(light);
});

test("the default key is rotated with a grace, in which both values manage keys", async ({
  page,
  account,
  baseURL,
}) => {
  const manages = async (value: string) => {
    const { status } = await fetch(`${baseURL}/v1/account`, { headers: { authorization: `Bearer ${value}` } });
    return status === 200;
  };
  const id = account.apikey.slice(0, 10);
  await account.call("POST", `/v1/apikeys/${id}/budget`, { daily_limit: 50 });
  const settings = new SettingsPage(page);
  await settings.open();
  await expect(settings.defaultKey).toContainText(`${id}••••`);
  await expect(settings.defaultKey).toContainText("Active");
  await expect(settings.defaultKey).toContainText("¥50");

  await settings.defaultKey.getByRole("button", { name: "Rotate" }).click();
  await settings.dialog.getByRole("combobox", { name: "The old value works on for" }).selectOption("15 minutes");
  await settings.dialog.getByRole("button", { name: "Rotate key" }).click();
  const value = await settings.shownOnce.take();
  expect(value.slice(0, 10)).toBe(id);
  expect(value).not.toBe(account.apikey);
  expect(await manages(value)).toBe(true);
  expect(await manages(account.apikey)).toBe(true);
  await expect(settings.defaultKey).toContainText("The value from before the rotation works too, until");

  await settings.defaultKey.getByRole("button", { name: "Rotate" }).click();
  await settings.dialog.getByRole("combobox").selectOption("No time: it ends now");
  await expect(settings.dialog.getByRole("status")).toHaveText([
    /^The value from before the last rotation works until .* Another rotation ends it at once\.$/,
    "Programs that manage keys with the old value are refused at once.",
  ]);
  await settings.dialog.getByRole("button", { name: "Rotate key" }).click();
  const last = await settings.shownOnce.take();
  expect([await manages(account.apikey), await manages(value), await manages(last)]).toEqual([false, false, true]);

  await settings.defaultKey.getByRole("link", { name: "Open its page" }).click();
  await expect(page).toHaveURL(`${baseURL}/keys/${id}`);
});

for (const locale of ["en-US", "zh-CN"]) {
  test.describe(locale, () => {
    test.use({ locale });

    test("the page and its dialog are fit for all", async ({ page, account }) => {
      await account.call("POST", `/v1/apikeys/${account.apikey.slice(0, 10)}/budget`, {
        budget: 1,
        input_price_limit: 8,
        expiry_date: "2030-01-31",
      });
      await page.goto("/settings");
      await expect(page.getByRole("region", { name: /Default key|默认密钥/ }).getByRole("link")).toBeVisible();
      await expectFitForAll(page);
      await page.getByRole("button", { name: /Rotate|轮换/ }).click();
      await expectFitForAll(page);
    });
  });
}

test.describe("in a browser of a zone with a long name", () => {
  test.use({ timezoneId: "America/Argentina/Rio_Gallegos", viewport: { width: 320, height: 640 } });

  test("the button that chooses it fits a phone", async ({ page, account: _ }) => {
    await page.goto("/settings");
    const button = page.getByRole("button", { name: "Use this browser's zone, America/Argentina/Rio_Gallegos" });
    await expect(button).toBeVisible();
    await expectNoSidewaysScroll(page);
    await button.click();
    await expect(page.getByRole("combobox", { name: "Zone" })).toHaveValue("America/Argentina/Rio_Gallegos");
  });
});
