import { expect, type Page } from "playwright/test";
import { deferred } from "@/server/workers/deferred";
import { type Account, newAccount, test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { hold } from "./hold";
import { OwnProduct } from "./own-product";
import { BulkCreateDialog } from "./pages/bulk-create";
import { GroupsPage } from "./pages/groups";
import { KeysPage } from "./pages/keys";
import { SignInPage } from "./pages/sign-in";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test.describe("away", () => {
  // They stop and start one product.
  test.describe.configure({ mode: "default" });
  test.slow();
  let product: OwnProduct;
  let account: Account;
  test.beforeAll(async () => {
    product = await OwnProduct.start();
  });
  test.afterAll(() => product.remove());
  test.beforeEach(async ({ context }) => {
    account = await newAccount(product);
    await account.signIn(context);
  });

  const open = async (page: Page, query = "") => {
    const keys = new KeysPage(page);
    await page.goto(`${product.url}/keys${query}`);
    await expect(keys.heading).toBeVisible();
    return keys;
  };
  const limitOf = async (id: string) => (await account.call("GET", `/v1/apikeys/${id}`)).budget;

  test("the server goes while limits are edited: it is told, what was typed stays, and works after", async ({
    page,
  }) => {
    const id = await account.newKey("one");
    const keys = await open(page);
    await keys.choose("one", "Edit limits");
    await keys.fillLimit("Total budget", "7.5");
    await product.stopServer();
    await keys.press("Save limits");
    await expect(keys.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
    await expect(keys.dialog.getByRole("textbox", { name: "Total budget" })).toHaveValue("7.5");
    await product.startServer();
    await keys.press("Save limits");
    await expect(keys.dialog).toBeHidden();
    await expect(keys.row("one")).toContainText("¥7.50");
    expect(await limitOf(id)).toBe(7.5);
  });

  test("the server goes while a key is created: trying again makes one key", async ({ page }) => {
    const keys = await open(page);
    await keys.startCreating();
    await keys.fillName("kept");
    await keys.fillLimit("Per day", "3");
    await product.stopServer();
    await keys.press("Create key");
    await expect(keys.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
    await expect(keys.dialog.getByRole("textbox", { name: "Name" })).toHaveValue("kept");
    await product.startServer();
    await keys.press("Create key");
    await keys.shownOnce.take();
    expect((await account.call("GET", "/v1/apikeys")).data.map(({ name }: { name: string }) => name)).toEqual([
      "kept",
      "default",
    ]);
  });

  test("the database goes: the server says so, pages too, and come back by themselves", async ({ page }) => {
    const id = await account.newKey("one");
    const keys = await open(page);
    await keys.choose("one", "Edit limits");
    await keys.fillLimit("Total budget", "9");
    await product.stopDatabase();
    try {
      await keys.press("Save limits");
      await expect(keys.dialog.getByRole("alert")).toHaveText(
        "The database cannot be reached or is too busy. Try again later.",
      );
      await expect(keys.dialog.getByRole("textbox", { name: "Total budget" })).toHaveValue("9");

      expect((await page.goto(`${product.url}/keys?q=one`))?.status()).toBe(503);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("The database cannot be reached");
      await expectFitForAll(page);
    } finally {
      await product.startDatabase();
    }
    await expect(keys.heading).toBeVisible();
    await expect(keys.names()).toHaveText(["one"]);
    await keys.choose("one", "Edit limits");
    await keys.fillLimit("Total budget", "9");
    await keys.press("Save limits");
    await expect(keys.row("one")).toContainText("¥9");
    expect(await limitOf(id)).toBe(9);
  });

  test("the server goes too while a page waits for the database: it goes on trying, and shows that it does", async ({
    page,
  }) => {
    const keys = await open(page);
    const heading = page.getByRole("heading", { level: 1 });
    await product.stopDatabase();
    try {
      await page.reload();
      await expect(heading).toHaveText("The database cannot be reached");
      const { release } = await hold(page, "**/api/trpc/accounts.me");
      const retry = page.getByRole("button", { name: "Try again" });
      await retry.click();
      await expect(retry).toHaveAttribute("aria-disabled", "true");
      release();
      await expect(retry).not.toHaveAttribute("aria-disabled");
      const failing = page.waitForEvent("requestfailed");
      await product.stopServer();
      await failing;
      await expect(heading).toHaveText("The database cannot be reached");
    } finally {
      await product.startDatabase();
    }
    await product.startServer();
    await expect(keys.heading).toBeVisible();
  });

  test("the database goes before a link to the settings is followed: it is told, and they come by themselves", async ({
    page,
  }) => {
    await open(page);
    await product.stopDatabase();
    try {
      await page.getByRole("navigation").getByRole("link", { name: "Settings" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
      await expect(page.getByRole("main").getByRole("alert")).toContainText("The database cannot be reached");
      await expectFitForAll(page);
    } finally {
      await product.startDatabase();
    }
    await expect(page.getByRole("heading", { name: "Time zone" })).toBeVisible();
  });
});

test("a session that ends before a link to the settings is followed: it is told, and they come after signing in", async ({
  page,
  account,
  baseURL,
}) => {
  await new KeysPage(page).open();
  await account.endSessions();
  await page.getByRole("navigation").getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Your session has ended.");
  const opening = page.waitForEvent("popup");
  await page.getByRole("link", { name: "Sign in (new tab)" }).click();
  const tab = await opening;
  await new SignInPage(tab, baseURL ?? "").signIn(account.email, account.password);
  await expect(tab.getByRole("heading", { name: "Time zone" })).toBeVisible();
  await tab.close();
  await expect(page.getByRole("heading", { name: "Time zone" })).toBeVisible();
});

test("a session that ends in mid-edit: what was typed stays, and is saved after signing in again", async ({
  page,
  account,
  baseURL,
}) => {
  const id = await account.newKey("one");
  const keys = new KeysPage(page);
  await keys.open();
  await keys.choose("one", "Edit limits");
  await keys.fillLimit("Total budget", "7.5");
  await account.endSessions();
  await keys.press("Save limits");
  await expect(keys.dialog.getByRole("alert")).toContainText("Your session has ended.");
  await expectFitForAll(page);

  const opening = page.waitForEvent("popup");
  await keys.dialog.getByRole("link", { name: "Sign in (new tab)" }).click();
  const tab = await opening;
  await new SignInPage(tab, baseURL ?? "").signIn(account.email, account.password);
  await expect(new KeysPage(tab).heading).toBeVisible();
  await tab.close();

  await expect(keys.dialog.getByRole("textbox", { name: "Total budget" })).toHaveValue("7.5");
  await keys.press("Save limits");
  await expect(keys.dialog).toBeHidden();
  await expect(keys.row("one")).toContainText("¥7.50");
  expect((await account.call("GET", `/v1/apikeys/${id}`)).budget).toBe(7.5);
});

test("a session that ends before an export: it is told, and the file comes after signing in again", async ({
  page,
  account,
  baseURL,
}) => {
  for (const [path, name] of [
    ["/keys", "Export CSV"],
    ["/history", "Export JSON lines"],
  ] as const) {
    await page.goto(path);
    const link = page.getByRole("link", { name });
    await expect(link).toBeVisible();
    await account.endSessions();
    await link.click();
    const news = page.getByRole("region", { name: "News" });
    await expect(news).toContainText("Your session has ended.");
    await expect(page).toHaveURL(path);

    const opening = page.waitForEvent("popup");
    await news.getByRole("button", { name: "Sign in (new tab)" }).click();
    const tab = await opening;
    await new SignInPage(tab, baseURL ?? "").signIn(account.email, account.password);
    await expect(tab).toHaveURL(path);
    await tab.close();

    const downloading = page.waitForEvent("download");
    await link.click();
    expect((await downloading).suggestedFilename()).toMatch(/\.(csv|jsonl)$/);
  }
});

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

test("keys that may have been created although no answer came: it is told, with a way to look", async ({
  page,
  account,
}) => {
  const keys = new KeysPage(page);
  const lose = async (address: string, press: () => Promise<void>) => {
    await page.route(address, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await press();
    await expect(keys.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
    await page.unroute(address);
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

const NAMES = [
  '<img src=x onerror="window.hasRun=true"><script>window.hasRun=true</script>',
  "{name} <bdi># 'quoted' &amp; “more”",
  "مفتاح الإنتاج",
  "\u202Ereversed",
  "🚀👩‍🔬 密钥",
  "a".repeat(128),
];

test("names are shown as they are, whatever is written in them", async ({ page, account }) => {
  test.slow();
  const complaints: string[] = [];
  page.on("dialog", (dialog) => {
    complaints.push(dialog.message());
    return dialog.dismiss();
  });
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const ids = [];
  for (const name of NAMES) {
    ids.push(await account.newKey(name, { group_id: await account.newGroup(name), budget: 1 }));
  }
  const keys = new KeysPage(page);
  await keys.open();
  await expect(keys.names()).toHaveText([...[...NAMES].reverse(), "default"]);
  await expectFitForAll(page);
  for (const [index, name] of NAMES.entries()) {
    await keys.open(`?q=${encodeURIComponent(name)}`);
    await expect(keys.row(name).getByRole("link")).toHaveText([name, name]);
    await keys.choose(name, "Edit limits");
    await expect(keys.dialog.getByRole("heading", { level: 2 })).toHaveText(`Limits of “${name}”`);
    await keys.fillLimit("Total budget", "2");
    await keys.press("Save limits");
    await expect(keys.news).toContainText(`Limits of “\u2068${name}\u2069” saved.`);
    await keys.choose(name, "Move to group");
    await expect(keys.dialog.getByRole("combobox")).toHaveValue(name);
    await keys.press("Cancel");
    await keys.choose(name, "Disable");
    await expect(keys.question.getByRole("heading")).toHaveText(`Disable “${name}”?`);
    await keys.press("Cancel");
    await page.goto(`/keys/${ids[index]}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
    await expectFitForAll(page);
  }
  expect(await page.evaluate(() => "hasRun" in window)).toBe(false);
  expect(complaints).toEqual([]);
});
