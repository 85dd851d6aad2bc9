import { expect } from "playwright/test";
import { deferred } from "@/server/workers/deferred";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { hold, loseAnswer } from "./hold";
import { BulkCreateDialog } from "./pages/bulk-create";
import { GroupsPage } from "./pages/groups";
import { KeysPage } from "./pages/keys";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("while the server is asked for a file the link shows it, and a second click does nothing", async ({
  page,
  account: _,
}) => {
  await new KeysPage(page).open();
  const link = page.getByRole("link", { name: "Export CSV" });
  const released = deferred<void>();
  const asked: string[] = [];
  await page.route("**/api/trpc/accounts.me**", async (route) => {
    asked.push(route.request().url());
    await released.promise;
    await route.continue();
  });
  const files: string[] = [];
  page.on("download", (file) => files.push(file.suggestedFilename()));
  await link.dblclick();
  await expect(link).toHaveAttribute("aria-busy", "true");
  await expect(link).toHaveCSS("opacity", "0.6");
  expect(asked).toHaveLength(1);
  released.resolve();
  await expect.poll(() => files).toEqual(["keys.csv"]);
  await expect(link).toHaveAttribute("aria-busy", "false");
  expect(asked).toHaveLength(1);
});

test("while a dialog waits for its answer, nothing in it offers to close it", async ({ page, account: _ }) => {
  const groups = new GroupsPage(page);
  await groups.open();
  await page.getByRole("button", { name: "New group" }).first().click();
  await groups.fill({ name: "Research" });
  const creation = await hold(page, "**/api/trpc/groups.create");
  await groups.press("Create group");
  await creation.asked;
  await expect(groups.dialog.getByRole("button", { name: "Close" })).toBeDisabled();
  await expect(groups.dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(groups.dialog).toBeVisible();
  creation.release();
  await expect(groups.dialog).toBeHidden();
  await expect(groups.row("Research")).toBeVisible();
});

test("a double click on create makes one key", async ({ page, account }) => {
  const keys = new KeysPage(page);
  await keys.open();
  await keys.startCreating();
  await keys.fillName("once");
  await keys.dialog.getByRole("button", { name: "Create key" }).dblclick();
  await keys.shownOnce.take();
  await expect(keys.names()).toHaveText(["once", "default"]);
  expect((await account.call("GET", "/v1/apikeys")).total).toBe(2);
});

test("keys that may have been created although no answer came: it is told, with a way to look", async ({
  page,
  account,
}) => {
  const keys = new KeysPage(page);
  const lose = async (address: string, press: () => Promise<void>) => {
    await loseAnswer(page, address);
    await press();
    await expect(keys.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  };
  await keys.open();
  await keys.startCreating();
  await keys.fillName("one");
  await lose("**/api/trpc/keys.create**", () => keys.press("Create key"));
  await expect(keys.dialog).toContainText("this one may have been created all the same");
  const opening = page.waitForEvent("popup");
  await keys.dialog.getByRole("link", { name: "Newest keys (new tab)" }).click();
  const tab = await opening;
  await expect(new KeysPage(tab).names()).toHaveText(["one", "default"]);
  await tab.close();
  await keys.press("Cancel");

  const bulk = new BulkCreateDialog(page);
  await bulk.open();
  await bulk.fill("Names, one a line", "two\nthree");
  await bulk.press("Preview");
  await expect(bulk.dialog).toContainText("Nothing has been created yet.");
  await lose("**/api/trpc/keys.createMany**", () => bulk.press("Create 2 keys"));
  await expect(bulk.dialog).toContainText("these may have been created all the same");
  await expect(bulk.dialog).not.toContainText("Nothing has been created yet.");
  await expectFitForAll(page);
  expect((await account.call("GET", "/v1/apikeys")).total).toBe(4);
});
