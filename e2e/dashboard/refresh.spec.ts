import { expect, type Page } from "playwright/test";
import { deferred } from "@/server/workers/deferred";
import { test } from "./account";
import { holdLists, openLatePages } from "./late-page";
import { KeysPage } from "./pages/keys";

test("a key is shown that was created before the page had the list it was sent with", async ({
  page,
  account: _owner,
  baseURL,
}) => {
  const late = await openLatePages(baseURL ?? "");
  try {
    const keys = new KeysPage(page);
    const lists = await holdLists();
    try {
      await page.goto(`${late.url}/keys`, { waitUntil: "commit" });
      // The button does nothing before its code has arrived.
      await expect(async () => {
        if (await keys.dialog.isHidden()) await keys.createButton.click({ timeout: 5_000 });
        await expect(keys.dialog).toBeVisible({ timeout: 5_000 });
      }).toPass();
      late.hold();
    } finally {
      await lists.release();
    }
    await late.arrived;
    await finishCreating(keys);
    await expect(keys.table).toBeHidden();
    late.release();
    await expect(keys.names()).toHaveText(["gateway", "default"]);
  } finally {
    late.close();
  }
});

/** Holds back the next list of keys after the server has read it. */
async function holdNextList(page: Page) {
  const read = deferred<void>();
  const released = deferred<void>();
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
  return { read: read.promise, release: () => released.resolve() };
}

async function create(keys: KeysPage) {
  await keys.startCreating();
  await finishCreating(keys);
}

/** Creates the key "gateway" in the dialog that is open, and closes what shows its value. */
async function finishCreating(keys: KeysPage) {
  await keys.fillName("gateway");
  await keys.press("Create key");
  await expect(keys.shownOnce.dialog).toContainText("You won't see this key again");
  await keys.shownOnce.press("Done");
  await keys.shownOnce.press("Close anyway");
  await expect(keys.shownOnce.dialog).toBeHidden();
}

test("a key is shown that was created while the list was read", async ({ page, account: _owner }) => {
  const keys = new KeysPage(page);
  await keys.open();
  await expect(keys.names()).toHaveText(["default"]);
  const list = await holdNextList(page);
  await keys.sortBy("Name");
  await list.read;
  await create(keys);
  list.release();
  await expect(keys.names()).toHaveText(["default", "gateway"]);
});

test("a key is shown that was created while a list was read that is looked at later", async ({
  page,
  account: _owner,
}) => {
  const keys = new KeysPage(page);
  await keys.open();
  await expect(keys.names()).toHaveText(["default"]);
  const list = await holdNextList(page);
  await keys.sortBy("Name");
  await list.read;
  await page.goBack();
  await create(keys);
  await expect(keys.names()).toHaveText(["gateway", "default"]);
  const answered = page.waitForResponse("**/api/trpc/keys.list**");
  list.release();
  await answered;
  await keys.sortBy("Name");
  await expect(keys.names()).toHaveText(["default", "gateway"]);
});
