import { expect, type Locator, type Page } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { hold } from "./hold";
import { holdScripts } from "./late-scripts";
import { GroupsPage } from "./pages/groups";

const NAMES = ["<b>bold</b> & <script>alert(1)</script>", "فريق الأبحاث", "🚀👩‍🔬 研究组", "{name} # <bdi>"];

test("a group is made, found, changed and deleted", async ({ page, account }) => {
  const groups = new GroupsPage(page);
  await groups.open();
  await expect(page.getByRole("heading", { name: "No groups yet" })).toBeVisible();

  await groups.startCreating();
  await groups.fill({ name: "Research", description: "Keys of the team" });
  await groups.press("Create group");
  await expect(groups.dialog).toBeHidden();
  await expect(groups.news).toContainText("created");
  await expect(groups.row("Research")).toContainText("Keys of the team");
  await expect(groups.row("Research")).toContainText("No keys");

  await groups.choose("Research", "Edit");
  await groups.fill({ name: "Science" });
  await groups.press("Save");
  await expect(groups.row("Science")).toContainText("Keys of the team");
  await expect(groups.row("Research")).toBeHidden();
  expect((await account.call("GET", "/v1/apikey_groups")).data).toMatchObject([
    { name: "Science", description: "Keys of the team" },
  ]);

  await groups.choose("Science", "Delete");
  await expect(groups.question).toContainText("No key is in it.");
  await groups.press("Delete group");
  await expect(page.getByRole("heading", { name: "No groups yet" })).toBeVisible();
  expect((await account.call("GET", "/v1/apikey_groups")).data).toEqual([]);
});

test("deleting says what happens to the keys, and they stay", async ({ page, account }) => {
  const id = await account.newGroup("Research");
  const keys = [
    await account.newKey("one", { group_id: id, budget: 5 }),
    await account.newKey("two", { group_id: id }),
  ];
  const groups = new GroupsPage(page);
  await groups.open();
  await expect(groups.row("Research")).toContainText("Total budget differs");
  await groups.choose("Research", "Delete");
  await expect(groups.question).toContainText("Delete group “Research”?");
  await expect(groups.question).toContainText("Its 2 keys stay, in no group");
  await expect(groups.question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(groups.question).toBeHidden();
  await expect(page.getByRole("button", { name: "Actions for Research" })).toBeFocused();

  // The question counts a key that came into the group after the list was read.
  keys.push(await account.newKey("three", { group_id: id }));
  await groups.choose("Research", "Delete");
  await expect(groups.question).toContainText("Its 3 keys stay, in no group");
  await groups.press("Delete group");
  await expect(groups.news).toContainText("3 keys are in no group now.");
  // The button that opened the question is gone with its row, so the focus goes to the content.
  await expect(page.getByRole("main")).toBeFocused();
  for (const key of keys) {
    expect(await account.call("GET", `/v1/apikeys/${key}`)).toMatchObject({ group_id: null, status: "active" });
  }
});

test("whoever has left the page of a group that is being deleted stays where they are", async ({ page, account }) => {
  const group_id = await account.newGroup("Research");
  await account.newKey("kept", { group_id });
  const groups = new GroupsPage(page);
  await page.goto("/keys");
  await page.getByRole("table").getByRole("link", { name: "Research" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  const deletion = await hold(page, "**/api/trpc/groups.delete**");
  await groups.press("Delete group");
  await deletion.asked;
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
  await page.getByRole("searchbox").fill("kept");
  await expect(page).toHaveURL(/q=kept/);
  deletion.release();
  await expect(groups.news).toContainText("Group “\u2068Research\u2069” deleted.");
  // The list without the group is read after the page would have been left.
  await expect(page.getByRole("table").getByRole("link", { name: "Research" })).toHaveCount(0);
  await expect(page).toHaveURL(/\/keys\?q=kept/);
});

test("a double click on create makes one group", async ({ page, account }) => {
  const groups = new GroupsPage(page);
  await groups.open();
  await groups.startCreating();
  await groups.fill({ name: "Once" });
  await groups.dialog.getByRole("button", { name: "Create group" }).dblclick();
  await expect(groups.dialog).toBeHidden();
  await expect(groups.row("Once")).toBeVisible();
  expect((await account.call("GET", "/v1/apikey_groups")).data).toHaveLength(1);
});

test("what is wrong is said at the field or by the server, and what was typed stays", async ({ page, account }) => {
  await account.newGroup("Taken");
  const groups = new GroupsPage(page);
  await groups.open();
  await groups.startCreating();
  await groups.press("Create group");
  await expect(groups.dialog.getByText("Enter a name.")).toBeVisible();
  await groups.fill({ name: "x".repeat(129), description: "kept" });
  await expect(groups.dialog.getByText("At most 128 characters.", { exact: true })).toBeVisible();

  await groups.fill({ name: "Taken" });
  await groups.press("Create group");
  await expect(groups.dialog.getByRole("alert")).toHaveText("A group of this name already exists.");
  await expect(groups.dialog.getByLabel("Name")).toHaveValue("Taken");
  await expect(groups.dialog.getByLabel("Description")).toHaveValue("kept");

  await page.route("**/api/trpc/**", (route) => route.abort());
  await groups.fill({ name: "Free" });
  await groups.press("Create group");
  await expect(groups.dialog.getByRole("alert")).toHaveText(/The server cannot be reached/);
  await page.unroute("**/api/trpc/**");
  await groups.press("Create group");
  await expect(groups.row("Free")).toContainText("kept");
});

test("names are shown as they are, whatever is written in them", async ({ page, account }) => {
  for (const name of NAMES) await account.newGroup(name, name);
  const groups = new GroupsPage(page);
  await groups.open();
  await expect.poll(async () => (await groups.names()).sort()).toEqual([...NAMES].sort());
  for (const name of NAMES) {
    await groups.choose(name, "Delete");
    await expect(groups.question.getByRole("heading")).toHaveText(`Delete group “${name}”?`);
    await groups.press("Cancel");
  }
  // A name that is written from right to left stands where every heading does.
  await groups.row("فريق الأبحاث").getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveCSS("text-align", "left");
});

test("names that differ in their spaces are told apart in lists, headings and pickers", async ({ page, account }) => {
  for (const name of ["Team A", "Team  A", " Team A"]) await account.newGroup(name);
  const groups = new GroupsPage(page);
  await groups.open();
  const shown = (elements: Locator) =>
    elements.evaluateAll((all) => all.map((each) => (each as HTMLElement).innerText));
  await expect.poll(() => shown(groups.table.getByRole("link"))).toEqual([" Team A", "Team  A", "Team A"]);
  await groups.table.getByRole("link").nth(1).click();
  await expect(page).toHaveURL(/groups\/\w+/);
  await expect.poll(() => shown(page.getByRole("heading", { level: 1 }))).toEqual(["Team  A"]);
  await page.goto("/usage");
  await page.getByRole("combobox", { name: "Group" }).fill("team");
  const options = page.getByRole("listbox").getByRole("option");
  await expect(options).toHaveCount(3);
  expect((await shown(options)).sort()).toEqual([" Team A", "Team  A", "Team A"]);
});

test("search, order and page stand in the address", async ({ page, account }) => {
  const created = Array.from({ length: 51 }, (_, index) => `Team ${String(index).padStart(2, "0")}`);
  for (const name of created) await account.newGroup(name);
  const groups = new GroupsPage(page);
  await groups.open();
  await groups.sortBy("Name");
  await expect(page).toHaveURL(/sort=name/);
  await expect(groups.table.getByRole("link").first()).toHaveText("Team 00");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(groups.row("Team 50")).toBeVisible();
  await page.reload();
  await expect.poll(() => groups.names()).toEqual(["Team 50"]);
  await page.goBack();
  await expect(groups.row("Team 00")).toBeVisible();

  await groups.open("?sort=name&order=asc");
  await groups.search("EAM 4");
  await expect(page).toHaveURL(/q=EAM/);
  await expect(groups.table.getByRole("link")).toHaveText(created.slice(40, 50));
  await groups.search("no such");
  await expect(page.getByRole("heading", { name: "No group matches" })).toBeVisible();
  await page.getByRole("button", { name: "Clear the search" }).last().click();
  await expect(groups.row("Team 00")).toBeVisible();
  await groups.open("?page=7");
  await expect(page).toHaveURL(/page=2/);
});

test("what is searched for before the scripts of the page are there is found", async ({ page, account }) => {
  await account.addGroups(3);
  const scripts = await holdScripts(page);
  await page.goto("/groups", { waitUntil: "commit" });
  await page.getByRole("searchbox", { name: "Search groups" }).pressSequentially("oup 2");
  scripts.release();
  await expect(page).toHaveURL(/q=oup\+2/);
  await expect(new GroupsPage(page).table.getByRole("link")).toHaveText(["Group 2"]);
});

test("whoever turns to a page of which all groups were deleted sees the groups that are left", async ({
  page,
  account,
}) => {
  await account.addGroups(51);
  const groups = new GroupsPage(page);
  await groups.open();
  const range = page.getByRole("navigation", { name: "Pages" }).getByRole("status");
  await expect(range).toHaveText("1–50 of 51");
  for (const number of [1, 2, 3]) {
    await account.call("POST", `/v1/apikey_groups/${String(number).padStart(24, "0")}/delete`);
  }
  await page.getByRole("button", { name: "Next" }).click();
  await expect(range).toHaveText("1–48 of 48");
  await expect(groups.table.getByRole("link")).toHaveCount(48);
});

test("whoever turns pages by keyboard keeps a place to go on from at either end", async ({ page, account }) => {
  await account.addGroups(51);
  await new GroupsPage(page).open();
  const next = page.getByRole("button", { name: "Next" });
  const previous = page.getByRole("button", { name: "Previous" });
  await next.press("Enter");
  await expect(next).toBeDisabled();
  await expect(previous).toBeFocused();
  await previous.press("Enter");
  await expect(previous).toBeDisabled();
  await expect(next).toBeFocused();
});

test("who turns a page reads it from its beginning", async ({ page, account }) => {
  await account.addGroups(51);
  await account.addEvents(60);
  const first = page.getByRole("row").nth(1);
  const range = page.getByRole("navigation", { name: "Pages" }).getByRole("status");
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await new GroupsPage(page).open();
    await page.getByRole("button", { name: "Next" }).click();
    await expect(range).toHaveText("51–51 of 51");
    await page.getByRole("button", { name: "Previous" }).click();
    await expect(range).toHaveText("1–50 of 51");
    await expect(first).toBeInViewport();
    // The table scrolls by itself on a wide screen, and with the page on a phone.
    await page.getByRole("row").last().scrollIntoViewIfNeeded();
    await expect(first).not.toBeInViewport();
    await page.getByRole("button", { name: "Next" }).click();
    await expect(first).toBeInViewport();
  }
  await page.goto("/history");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByRole("list", { name: "History" }).getByRole("listitem").first()).toBeInViewport();
});

test("who orders a table anew reads it from its beginning", async ({ page, account }) => {
  await account.addGroups(50);
  const groups = new GroupsPage(page);
  await groups.open();
  await page.getByRole("row").last().scrollIntoViewIfNeeded();
  await groups.sortBy("Name");
  await expect(groups.row("Group 1")).toBeInViewport();
});

test("a phone has every order that a wide screen has", async ({ page, account }) => {
  const group_id = await account.newGroup("With a key");
  await account.newKey("one", { group_id });
  await account.newGroup("Empty");
  await page.setViewportSize({ width: 360, height: 740 });
  const groups = new GroupsPage(page);
  await groups.open();
  await expect(groups.table.getByRole("link")).toHaveText(["Empty", "With a key"]);
  await groups.sortBy("Keys");
  await expect(groups.table.getByRole("link")).toHaveText(["With a key", "Empty"]);
  await groups.sortBy("Created");
  await expect(groups.table.getByRole("link")).toHaveText(["Empty", "With a key"]);
  await expectFitForAll(page);
});

test("a group has a page of its own", async ({ page, account }) => {
  const id = await account.newGroup("Research", "Keys of the team");
  await account.newKey("one", { group_id: id, budget: 5, daily_limit: 1 });
  await account.newKey("two", { group_id: id, budget: 5 });
  await account.newKey("elsewhere");
  const groups = new GroupsPage(page);
  await groups.open();
  await groups.row("Research").getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: "Research" })).toBeVisible();
  await expect(page).toHaveTitle(/Research/);
  const shared = page.getByRole("region", { name: "Limits that its keys share" });
  await expect(shared.getByRole("definition")).toHaveText([
    "¥5",
    "differs",
    "Unlimited",
    "Unlimited",
    "Unlimited",
    "Never",
  ]);
  await expect(page.getByRole("link", { name: "two" })).toBeVisible();
  await expect(page.getByRole("link", { name: "elsewhere" })).toBeHidden();
  await expectFitForAll(page);

  await page.getByRole("button", { name: "Edit" }).click();
  await groups.fill({ name: "Science", description: "" });
  await groups.press("Save");
  await expect(page.getByRole("heading", { level: 1, name: "Science" })).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await groups.press("Delete group");
  await expect(page).toHaveURL(/\/groups$/);
  await expect(page.getByRole("heading", { name: "No groups yet" })).toBeVisible();
});

test("a group that is not there: 404 that names the id and says what to do", async ({ page, account }) => {
  const id = await account.newGroup("Research");
  await account.call("POST", `/v1/apikey_groups/${id}/delete`);
  for (const missing of ["nothing", id]) {
    const answer = await page.goto(`/groups/${missing}`);
    expect(answer?.status()).toBe(404);
    await expect(page).toHaveTitle(/No such group/);
    await expect(page.getByText(`There is no group ${missing} in this account.`)).toBeVisible();
    await expect(page.getByRole("main")).toHaveCount(1);
  }
  await expectFitForAll(page);
  await page.getByRole("link", { name: "Show its history" }).click();
  await expect(page.getByRole("list", { name: "History" })).toContainText("Group Research deleted");
});

test("a group that somebody has deleted meanwhile: its page says that it is not there", async ({ page, account }) => {
  const id = await account.newGroup("Research");
  const groups = new GroupsPage(page);
  await page.goto(`/groups/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await groups.fill({ name: "Science" });
  await account.call("POST", `/v1/apikey_groups/${id}/delete`);
  await groups.press("Save");
  await expect(page.getByText(`There is no group ${id} in this account.`)).toBeVisible();
});

test("in Chinese, the page speaks Chinese", async ({ page, context, account, baseURL }) => {
  await account.newGroup("Research");
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto("/groups");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("分组");
  await page.getByRole("button", { name: "新建分组" }).click();
  await page.getByRole("button", { name: "创建分组" }).click();
  await expect(page.getByText("请输入名称。")).toBeVisible();
});

test("the page and its dialogs are fit for all", async ({ page, account }) => {
  const groups = new GroupsPage(page);
  await groups.open();
  await expectFitForAll(page);
  const id = await account.newGroup("Research", "x".repeat(300));
  await account.newKey("one", { group_id: id, budget: 5, daily_limit: 1, expiry_date: "2030-01-01" });
  await groups.open();
  await expectFitForAll(page);
  await expectMenusAtTheEdge(page, groups);
  await groups.startCreating();
  await groups.press("Create group");
  await expectFitForAll(page);
  await groups.press("Cancel");
  await groups.choose("Research", "Delete");
  await expectFitForAll(page);
  // Without its colour, a button is known by its border.
  await page.emulateMedia({ forcedColors: "active" });
  for (const name of ["Delete group", "Cancel"]) {
    await expect(groups.question.getByRole("button", { name })).toHaveCSS("border-top-width", "1px");
  }
  await page.emulateMedia({ forcedColors: "none" });
  await groups.press("Cancel");
  await groups.open("?q=nothing");
  await expectFitForAll(page);
});

/** Expects the menu of a card at its right edge, and the amounts below, on small screens. */
async function expectMenusAtTheEdge(page: Page, groups: GroupsPage): Promise<void> {
  const viewport = page.viewportSize();
  const keys = groups.table.locator("[data-label=Keys]");
  for (const width of [390, 639]) {
    await page.setViewportSize({ width, height: 740 });
    const [menu, amount] = [
      await groups.table.getByRole("button", { name: /^Actions/ }).boundingBox(),
      await keys.boundingBox(),
    ];
    expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeGreaterThan(width - 48);
    expect(amount?.y).toBeGreaterThan(menu?.y ?? Number.POSITIVE_INFINITY);
  }
  if (viewport) await page.setViewportSize(viewport);
}
