import { expect, type Page } from "playwright/test";
import { deferred } from "@/server/workers/deferred";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { GroupsPage } from "./pages/groups";
import { KeysPage } from "./pages/keys";
import { Palette } from "./pages/palette";

const CODE = /\/_next\/static\/chunks\//;

test("the palette finds keys, groups, pages and actions, by the keyboard alone", async ({ page, account }) => {
  const group = await account.newGroup("Research");
  const id = await account.newKey("reader one", { group_id: group });
  await account.newKey("reader two");
  const keys = new KeysPage(page);
  const palette = new Palette(page);
  await keys.open();
  await palette.open();
  await expect(palette.section("Recent")).toBeHidden();
  await expect(palette.selected).toHaveText("Overview");
  await expectFitForAll(page);

  await page.keyboard.type("reader");
  await expect(palette.section("Keys").getByRole("option")).toHaveText([/reader two/, /reader one.*Research/]);
  await page.keyboard.press("ArrowUp");
  await expect(palette.selected).toContainText("reader one");
  await expectFitForAll(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/keys/${id}$`));

  await palette.open();
  await expect(palette.section("Recent").getByRole("option")).toHaveText([/reader one/]);
  await page.keyboard.type("research");
  await palette.section("Groups").getByRole("option", { name: "Research" }).click();
  await expect(page).toHaveURL(new RegExp(`/groups/${group}$`));

  // The field takes the focus with it, and Escape gives it back.
  await page.getByRole("button", { name: /^Search/ }).click();
  await expect(palette.field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Search/ })).toBeFocused();

  // On the page of a group, a key is created in the group; from elsewhere, on the page of the keys.
  await palette.open();
  await page.keyboard.type("create k");
  await page.keyboard.press("Enter");
  await expect(keys.dialog.getByRole("heading", { name: "Create key" })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/groups/${group}$`));
  await keys.press("Cancel");
  await page.goto("/history");
  await palette.open();
  await page.keyboard.type("create k");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/keys$/);
  await expect(keys.dialog.getByRole("heading", { name: "Create key" })).toBeVisible();
  await keys.press("Cancel");

  await palette.open();
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("of many keys and groups that contain the text, the one with this very name is the first", async ({
  page,
  account,
}) => {
  const names = ["web", ...Array.from({ length: 7 }, (_, i) => `a web ${i}`)];
  for (const name of names) {
    await account.newKey(name);
    await account.newGroup(name);
  }
  const palette = new Palette(page);
  await page.goto("/overview");
  await palette.open();
  await page.keyboard.type("web");
  const newest = names
    .slice(-5)
    .reverse()
    .map((name) => new RegExp(name));
  await expect(palette.section("Keys").getByRole("option")).toHaveText([/^web\W*sk-/, ...newest]);
  await expect(palette.section("Groups").getByRole("option")).toHaveText(["web", ...names.slice(1, 6)]);
});

/** Opens the palette, and holds back its code. */
async function openSlowly(page: Page) {
  const released = deferred<void>();
  const asked = page.waitForRequest(CODE);
  await page.route(CODE, async (route) => {
    await released.promise;
    await route.continue();
  });
  // A page that does not listen yet is asked again.
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("button", { name: /^Search/ })).toHaveAttribute("aria-busy", "true", {
      timeout: 5_000,
    });
  }).toPass();
  await asked;
  return { release: () => released.resolve() };
}

test("what is typed before the palette is there is neither lost nor a shortcut, and the wait shows", async ({
  page,
  account: _,
}) => {
  const keys = new KeysPage(page);
  await keys.open();
  const button = page.getByRole("button", { name: /^Search/ });
  await keys.createButton.focus();
  const palette = new Palette(page);
  const code = await openSlowly(page);
  await expect(button).toHaveAttribute("aria-busy", "true");
  await expect(button.locator("span:has(> .animate-spin)")).toHaveCSS("opacity", "1");
  await page.keyboard.type("create x");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+k");
  code.release();
  await page.keyboard.type("new gr");
  await expect(palette.field).toHaveValue("create new gr");
  await page.keyboard.type("oup");
  await expect(palette.field).toHaveValue("create new group");
  await expect(palette.field).toBeFocused();
  await expect(palette.selected).toHaveText("New group");
  await expect(page.locator("dialog[open]")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(button).toHaveAttribute("aria-busy", "false");
});

test("while the palette is on its way the browser keeps its commands, and Escape gives the palette up", async ({
  page,
  account: _,
}) => {
  const keys = new KeysPage(page);
  await keys.open();
  const code = await openSlowly(page);
  const presses = await page.evaluateHandle(() => {
    const list: [string, boolean][] = [];
    window.addEventListener("keydown", ({ key, defaultPrevented }) => list.push([key, defaultPrevented]));
    return list;
  });
  await page.keyboard.type("a");
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Escape");
  expect(await presses.jsonValue()).toEqual([
    ["a", true],
    ["Control", false],
    ["c", false],
    ["Escape", true],
  ]);
  await expect(page.getByRole("button", { name: /^Search/ })).toHaveAttribute("aria-busy", "false");
  const arrived = page.waitForResponse(CODE);
  code.release();
  await (await arrived).finished();
  // The letter is a shortcut again, and what it opens is the only dialog.
  await page.keyboard.press("c");
  await expect(keys.dialog.getByRole("heading", { name: "Create key" })).toBeVisible();
  await expect(page.locator("dialog[open]")).toHaveCount(1);
  await keys.press("Cancel");
  await new Palette(page).open();
});

test("an export from the palette after the session has ended stays on the page and says so", async ({
  page,
  account,
}) => {
  await new KeysPage(page).open();
  const palette = new Palette(page);
  await palette.open();
  await page.keyboard.type("export keys");
  await expect(palette.selected).toHaveText("Export keys as CSV");
  await account.endSessions();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "News" })).toContainText("Your session has ended.");
  await expect(page).toHaveURL("/keys");
});

test("the newest answer counts, a pasted value is not sent, and nothing found is said", async ({ page, account }) => {
  await account.newKey("one");
  const palette = new Palette(page);
  await new KeysPage(page).open();
  const sent: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/trpc/keys.list**", async (route) => {
    const { search } = JSON.parse(new URL(route.request().url()).searchParams.get("input") ?? "{}");
    sent.push(search);
    if (search === "def") await held;
    await route.continue().catch(() => {});
  });
  await palette.open();
  await palette.field.fill("def");
  await expect.poll(() => sent).toContain("def");
  await palette.field.fill("one");
  await expect(palette.section("Keys").getByRole("option")).toHaveText([/one/]);
  release();
  await palette.field.fill(account.apikey);
  await expect(palette.section("Keys").getByRole("option")).toHaveText([/default/]);
  expect(sent).toContain(account.apikey.slice(0, 10));
  expect(sent).not.toContain(account.apikey);
  await palette.field.fill("nobody has this name");
  await expect(page.getByText("Nothing is called “nobody has this name”.")).toBeVisible();
  await expectFitForAll(page);
});

test("Chinese: a word is searched for when it is composed, and its Enter chooses nothing", async ({
  page,
  context,
  account,
  baseURL,
}) => {
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  const group = await account.newGroup("研发平台");
  const palette = new Palette(page);
  await page.goto("/keys");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(decodeURIComponent(request.url())));
  await palette.open();
  const keyboard = await context.newCDPSession(page);
  await keyboard.send("Input.imeSetComposition", { text: "yan fa", selectionStart: 6, selectionEnd: 6 });
  await expect(palette.field).toHaveValue("yan fa");
  await expect(palette.selected).toHaveText("概览");
  await keyboard.send("Input.insertText", { text: "研发" });
  await expect(palette.field).toHaveValue("研发");
  await expect(palette.section("分组").getByRole("option")).toHaveText(["研发平台"]);
  expect(sent.filter((url) => url.includes("yan fa"))).toEqual([]);
  await expectFitForAll(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/groups/${group}$`));
});

test("single keys search, create and explain, never in a field or a dialog, and can be turned off", async ({
  page,
  account: _,
}) => {
  const keys = new KeysPage(page);
  const groups = new GroupsPage(page);
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const field = page.getByRole("searchbox", { name: "Search name or id" });
  await keys.open();
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(sheet).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expectFitForAll(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await expect(field).toBeFocused();
  await page.keyboard.type("c?/");
  await expect(field).toHaveValue("c?/");
  await expect(page.locator("dialog[open]")).toHaveCount(0);
  await field.blur();
  await page.keyboard.press("c");
  await expect(keys.dialog.getByRole("heading", { name: "Create key" })).toBeVisible();
  await keys.dialog.getByRole("button", { name: "Close" }).focus();
  await page.keyboard.press("?");
  await expect(sheet).toBeHidden();
  await page.keyboard.press("Escape");

  await groups.open();
  await expect(async () => {
    await page.keyboard.press("c");
    await expect(groups.dialog).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await sheet.getByRole("switch", { name: "Shortcuts of one character" }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await page.keyboard.press("?");
  await expect(page.locator("dialog[open]")).toHaveCount(0);
  await new Palette(page).open();
  await page.goto("/settings");
  await expect(page.getByRole("switch", { name: "Shortcuts of one character" })).not.toBeChecked();
});
