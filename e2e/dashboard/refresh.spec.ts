import { expect } from "playwright/test";
import { deferred } from "@/server/workers/deferred";
import { test } from "./account";
import { openLatePages } from "./late-page";
import { KeysPage } from "./pages/keys";

test("a key is shown that was created before the page had the list it was sent with", async ({
  page,
  account: _owner,
  baseURL,
}) => {
  const late = await openLatePages(baseURL ?? "");
  try {
    const keys = new KeysPage(page);
    await page.goto(`${late.url}/keys`, { waitUntil: "commit" });
    await late.arrived;
    // The button does nothing before its code has arrived.
    await expect(async () => {
      if (await keys.dialog.isHidden()) await keys.createButton.click({ timeout: 5_000 });
      await expect(keys.dialog).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await keys.fillName("gateway");
    await keys.press("Create key");
    await expect(keys.shownOnce.dialog).toContainText("You won't see this key again");
    await keys.shownOnce.press("Done");
    await keys.shownOnce.press("Close anyway");
    await expect(keys.shownOnce.dialog).toBeHidden();
    await expect(keys.table).toBeHidden();
    late.release();
    await expect(keys.names()).toHaveText(["gateway", "default"]);
  } finally {
    late.close();
  }
});

test("a key is shown that was created while the list was read", async ({ page, account: _owner }) => {
  const keys = new KeysPage(page);
  await keys.open();
  await expect(keys.names()).toHaveText(["default"]);
  const read = deferred<void>();
  const released = deferred<void>();
  // The first answer of this list is read before the key is created, and arrives after it.
  await page.route(
    "**/api/trpc/keys.list**",
    async (route) => {
      const response = await route.fetch();
      read.resolve();
      await released.promise;
      await route.fulfill({ response }).catch(() => {});
    },
    { times: 1 },
  );
  await keys.sortBy("Name");
  await read.promise;
  await keys.startCreating();
  await keys.fillName("gateway");
  await keys.press("Create key");
  await expect(keys.shownOnce.dialog).toContainText("You won't see this key again");
  released.resolve();
  await keys.shownOnce.press("Done");
  await keys.shownOnce.press("Close anyway");
  await expect(keys.names()).toHaveText(["default", "gateway"]);
});
