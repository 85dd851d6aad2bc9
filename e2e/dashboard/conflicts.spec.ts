import { expect } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { delay } from "./hold";
import { GroupsPage } from "./pages/groups";
import { KeysPage } from "./pages/keys";
import { ModelsPage } from "./pages/models";

test("two tabs change one group: the second is told, nothing is overwritten", async ({ page, account }) => {
  const group_id = await account.newGroup("Research", "Old");
  const stored = () => account.call("GET", `/v1/apikey_groups/${group_id}`);
  const groups = new GroupsPage(page);
  await groups.open();

  await test.step("description", async () => {
    await groups.choose("Research", "Edit");
    await groups.fill({ description: "Mine" });
    await account.call("POST", `/v1/apikey_groups/${group_id}`, { description: "Theirs" });
    await groups.press("Save");
    await expect(groups.dialog.getByRole("alert")).toContainText("Changed meanwhile");
    await expect(groups.dialog.getByLabel("Description")).toHaveValue("Mine");
    expect(await stored()).toMatchObject({ description: "Theirs" });
    await groups.press("Show it as it is now");
    await expect(groups.dialog.getByLabel("Description")).toHaveValue("Theirs");
    // The button is gone, so the focus is where it was when the dialog opened.
    await expect(groups.dialog.getByLabel("Name")).toBeFocused();
    await groups.fill({ description: "Both" });
    await groups.press("Save");
    await expect(groups.dialog).toBeHidden();
    expect(await stored()).toMatchObject({ name: "Research", description: "Both" });
  });

  await test.step("another field is no conflict", async () => {
    await groups.choose("Research", "Edit");
    await groups.fill({ description: "Newest" });
    await account.call("POST", `/v1/apikey_groups/${group_id}`, { name: "Science" });
    await groups.press("Save");
    await expect(groups.dialog).toBeHidden();
    expect(await stored()).toMatchObject({ name: "Science", description: "Newest" });
  });

  await test.step("limits of new keys", async () => {
    await groups.choose("Science", "Limits of new keys");
    const keys = new KeysPage(page);
    await keys.fillLimit("Total budget", "2");
    await account.call("POST", `/v1/apikey_groups/${group_id}`, { defaults: { budget: 3 } });
    await groups.press("Save");
    await expect(groups.dialog.getByRole("alert")).toContainText("Changed meanwhile");
    expect((await stored()).defaults.budget).toBe(3);
    await groups.press("Show it as it is now");
    await expect(groups.dialog.getByRole("textbox", { name: "Total budget" })).toHaveValue("3");
    await keys.fillLimit("Total budget", "4");
    await groups.press("Save");
    await expect(groups.dialog).toBeHidden();
    expect((await stored()).defaults.budget).toBe(4);
  });
});

test("a group that is changed, and then deleted or out of reach, is told when it is to be shown", async ({
  page,
  account,
}) => {
  const group_id = await account.newGroup("Research", "Old");
  const groups = new GroupsPage(page);
  await groups.open();
  await groups.choose("Research", "Edit");
  await groups.fill({ description: "Mine" });
  await account.call("POST", `/v1/apikey_groups/${group_id}`, { description: "Theirs" });
  await groups.press("Save");
  const alert = groups.dialog.getByRole("alert");
  await expect(alert).toContainText("Changed meanwhile");
  const read = "**/api/trpc/groups.get**";
  await page.route(read, (route) => route.abort());
  await groups.press("Show it as it is now");
  await expect(alert.filter({ hasText: "The server cannot be reached." })).toBeVisible();
  await page.unroute(read);
  await account.call("POST", `/v1/apikey_groups/${group_id}/delete`, {});
  await groups.press("Show it as it is now");
  await expect(alert.filter({ hasText: "The group does not exist." })).toBeVisible();
  await expect(groups.dialog.getByLabel("Description")).toHaveValue("Mine");
  await groups.press("Cancel");
  await expect(groups.row("Research")).toBeHidden();
});

test("who goes on at once is not told that somebody else changed the group, its limits or the price", async ({
  page,
  account,
}) => {
  const group_id = await account.newGroup("Research", "Old");
  const groups = new GroupsPage(page);
  await groups.open();
  await delay(page, "**/api/trpc/groups.search**", 1_000);
  for (const description of ["One", "Two"]) {
    await groups.choose("Research", "Edit");
    await groups.fill({ description });
    await groups.press("Save");
    await expect(groups.news).toContainText("changed");
  }
  await expect(groups.dialog).toBeHidden();
  for (const budget of ["2", "3"]) {
    await groups.choose("Research", "Limits of new keys");
    await new KeysPage(page).fillLimit("Total budget", budget);
    await groups.press("Save");
  }
  await expect(groups.dialog).toBeHidden();
  expect(await account.call("GET", `/v1/apikey_groups/${group_id}`)).toMatchObject({
    description: "Two",
    defaults: { budget: 3 },
  });

  await account.call("POST", "/v1/models", { models: [{ name: "own", input_price: 1, output_price: 2 }] });
  const models = new ModelsPage(page);
  await models.open("?source=account");
  await delay(page, "**/api/trpc/models.list**", 1_000);
  for (const price of ["3", "4"]) {
    await models.choose("own (This account, Always)", "Edit");
    await models.fill({ Input: price });
    await models.press("Save");
  }
  await expect(models.dialog).toBeHidden();
  const { data } = await account.call("GET", "/v1/models?source=account");
  expect(data).toMatchObject([{ name: "own", input_price: 4 }]);
});

test("two tabs change one key: the second is told, nothing is overwritten", async ({ page, context, account }) => {
  const id = await account.newKey("one", { budget: 1 });
  const stored = () => account.call("GET", `/v1/apikeys/${id}`);
  const first = new KeysPage(page);
  await first.open();
  const second = new KeysPage(await context.newPage());
  await second.open();

  await test.step("limits", async () => {
    await first.choose("one", "Edit limits");
    await first.fillLimit("Total budget", "2");
    await second.page.bringToFront();
    await second.choose("one", "Edit limits");
    await second.fillLimit("Total budget", "3");
    await second.fillLimit("Per day", "1.5");
    await second.press("Save limits");
    await expect(second.dialog).toBeHidden();

    await first.page.bringToFront();
    await first.press("Save limits");
    await expect(first.dialog.getByRole("alert")).toContainText("Changed meanwhile");
    await expect(first.dialog.getByRole("alert")).toBeInViewport();
    await expect(first.dialog.getByRole("textbox", { name: "Total budget" })).toHaveValue("2");
    expect(await stored()).toMatchObject({ budget: 3, daily_limit: 1.5 });
    await expectFitForAll(page);

    await first.dialog.getByRole("button", { name: "Show it as it is now" }).click();
    await expect(first.dialog.getByRole("textbox", { name: "Total budget" })).toHaveValue("3");
    await expect(first.dialog.getByRole("textbox", { name: "Per day" })).toHaveValue("1.5");
    await expect(first.dialog.getByRole("status")).toHaveText("Nothing changes.");
    await first.fillLimit("Total budget", "4");
    await first.press("Save limits");
    await expect(first.dialog).toBeHidden();
    expect(await stored()).toMatchObject({ budget: 4, daily_limit: 1.5 });
  });

  await test.step("name", async () => {
    await first.choose("one", "Rename");
    await second.page.bringToFront();
    await second.page.reload();
    await second.choose("one", "Rename");
    await second.fillName("theirs");
    await second.press("Rename");
    await expect(second.row("theirs")).toBeVisible();
    await first.page.bringToFront();
    await first.fillName("mine");
    await first.press("Rename");
    await expect(first.dialog.getByRole("alert")).toContainText("Changed meanwhile");
    expect((await stored()).name).toBe("theirs");
    await first.dialog.getByRole("button", { name: "Show it as it is now" }).click();
    await expect(first.dialog.getByRole("textbox", { name: "Name" })).toHaveValue("theirs");
    await first.press("Cancel");
    await expect(first.row("theirs")).toBeVisible();
  });

  await test.step("revoked meanwhile", async () => {
    await first.page.reload();
    await first.choose("theirs", "Edit limits");
    await first.fillLimit("Total budget", "5");
    await account.call("POST", `/v1/apikeys/${id}/revoke`, {});
    await first.press("Save limits");
    await expect(first.dialog.getByRole("alert")).toHaveText("The API key does not exist, or is revoked.");
    expect(await stored()).toMatchObject({ status: "revoked", budget: 4 });
    await first.press("Cancel");
    await expect(first.names()).toHaveText(["default"]);
  });
});
