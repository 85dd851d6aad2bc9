import { expect, type Page } from "playwright/test";
import { deferred } from "@/server/workers/deferred";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { KeysPage } from "./pages/keys";
import { Palette } from "./pages/palette";

/** Holds the pages back that the router fetches. */
async function holdPages(page: Page): Promise<() => void> {
  const released = deferred<void>();
  await page.route(
    (address) => address.searchParams.has("_rsc"),
    async (route) => {
      await released.promise;
      await route.continue();
    },
  );
  return () => released.resolve();
}

const openAccountMenu = (page: Page) =>
  page
    .getByRole("banner")
    .getByRole("button", { name: /^Account/ })
    .click();

const WAYS: [string, (page: Page) => Promise<void>][] = [
  [
    "a link in the content",
    (page) => new KeysPage(page).row("production").getByRole("link", { name: "Research" }).click(),
  ],
  [
    "the palette",
    async (page) => {
      await new Palette(page).open();
      await page.keyboard.type("groups");
      await page.keyboard.press("Enter");
    },
  ],
  [
    "the menu of a phone",
    async (page) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.getByRole("button", { name: "Menu", exact: true }).click();
      await page.getByRole("menuitem", { name: "Groups" }).click();
    },
  ],
];

for (const [way, go] of WAYS) {
  test(`a page that is slow to come by ${way} says so until it is there`, async ({ page, account }) => {
    await account.newKey("production", { group_id: await account.newGroup("Research") });
    await new KeysPage(page).open();
    await page.waitForLoadState("load");
    const release = await holdPages(page);
    await go(page);
    const wait = page.getByRole("banner").getByText("The page is loading…");
    await expect(wait).toBeAttached();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("API keys");
    await expectFitForAll(page);
    release();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^(Groups|Research)$/);
    await expect(wait).not.toBeAttached();
  });
}

test("signing out that is slow says so, and no more when it fails", async ({ page, account: _ }) => {
  await new KeysPage(page).open();
  const released = deferred<void>();
  await page.route("**/api/auth/sign-out", async (route) => {
    await released.promise;
    await route.abort();
  });
  await openAccountMenu(page);
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  const wait = page.getByRole("banner").getByText("The page is loading…");
  await expect(wait).toBeAttached();
  released.resolve();
  await expect(page.getByRole("region", { name: "News" })).toContainText("The server cannot be reached.");
  await expect(wait).not.toBeAttached();
});

test("a language that is slow to come says so until the page has it", async ({ page, account: _ }) => {
  await new KeysPage(page).open();
  await page.waitForLoadState("load");
  const release = await holdPages(page);
  await openAccountMenu(page);
  await page.getByRole("menuitemradio", { name: "简体中文" }).click();
  await expect(page.getByRole("banner").getByText("The page is loading…")).toBeAttached();
  release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("API 密钥");
  await expect(page.getByRole("banner").getByText("页面加载中…")).not.toBeAttached();
});
