import { expect, type Locator, type Page } from "playwright/test";
import { type Account, test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { holdScripts } from "./late-scripts";
import { chooseFrom } from "./pages/combobox";
import { KeysPage } from "./pages/keys";

/** The options of the open list. The native selects of the page have options too. */
const options = (page: Page) => page.getByRole("listbox").getByRole("option");

test("what is typed before the scripts of the page are there looks groups up as soon as they are", async ({
  page,
  account,
}) => {
  await account.newGroup("Research");
  await account.newGroup("Other");
  const scripts = await holdScripts(page);
  await page.goto("/keys", { waitUntil: "commit" });
  await page.getByRole("combobox", { name: "Group", exact: true }).fill("resea");
  scripts.release();
  await expect(options(page)).toHaveText(["Research"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\?group=/);
});

test("one of 10,000 groups is found by typing, and the list of all of them never travels", async ({
  page,
  account,
}) => {
  await account.addGroups(10_000);
  const research = await account.newGroup("Research");
  await account.newKey("inside", { group_id: research });
  await account.newKey("outside");
  const received: { path: string; bytes: number }[] = [];
  page.on("response", async (response) => {
    const body = await response.body().catch(() => Buffer.alloc(0));
    received.push({ path: new URL(response.url()).pathname, bytes: body.length });
  });
  const keys = new KeysPage(page);
  await keys.open();
  const group = page.getByRole("combobox", { name: "Group", exact: true });
  const option = (name: string) => page.getByRole("option", { name, exact: true });

  // By keyboard alone: open, move, leave without choosing; then type a part in any letter case, and choose.
  await group.focus();
  await expect(group).toHaveValue("All groups");
  await expect(group).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("ArrowDown");
  await expect(option("Group 1")).toBeVisible();
  await expect(page.getByText("There are more. Type to find them.")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("listbox")).toBeHidden();
  await expect(group).toHaveValue("All groups");
  await group.fill("gROUP 9876");
  await expect(options(page)).toHaveText(["Group 9876"]);
  await expect(group).toHaveAttribute("aria-activedescendant", (await option("Group 9876").getAttribute("id")) ?? "");
  await expectFitForAll(page);
  await group.fill("nothing like it");
  await expect(page.getByText("Nothing matches").first()).toBeVisible();
  await group.fill("resea");
  await expect(options(page)).toHaveText(["Research"]);
  await page.keyboard.press("Enter");
  await expect(keys.names()).toHaveText(["inside"]);
  await expect(group).toBeFocused();
  await expect(group).toHaveValue("Research");
  await page.reload();
  await expect(group).toHaveValue("Research");
  await expect(keys.names()).toHaveText(["inside"]);

  // The page of usage and the history have the same picker.
  for (const path of [`/usage?group=${research}`, `/history?group=${research}`]) {
    await page.goto(path);
    await expect(group).toHaveValue("Research");
    await chooseFrom(group, "Group 77");
    await expect(page).toHaveURL(new RegExp(`group=${(77).toString(16).padStart(24, "0")}`));
    await expect(group).toHaveValue("Group 77");
  }
  expect(received.filter(({ path }) => path.endsWith("/groups.list"))).toEqual([]);
  const pages = received.filter(({ path }) => ["/keys", "/usage", "/history"].includes(path));
  expect(pages.length).toBeGreaterThan(3);
  expect(Math.max(...pages.map(({ bytes }) => bytes))).toBeLessThan(250_000);
});

/** The dialog that moves a key to one of 50 groups, with the field of the group. */
async function openMoving(page: Page, account: Account): Promise<{ keys: KeysPage; group: Locator }> {
  await account.addGroups(50);
  await account.newKey("one");
  const keys = new KeysPage(page);
  await keys.open();
  await keys.choose("one", "Move to group");
  const group = keys.dialog.getByRole("combobox", { name: "Group" });
  return { keys, group };
}

test("in a dialog, Escape closes the list first, and a key moves to the group that was found", async ({
  page,
  account,
}) => {
  const { keys, group } = await openMoving(page, account);
  await expect(group).toHaveValue("No group");
  await group.fill("group 4");
  await expect(options(page).first()).toHaveText("Group 4");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("listbox")).toBeHidden();
  await expect(group).toHaveValue("No group");
  await expect(keys.dialog).toBeVisible();
  await group.fill("group 43");
  await expect(options(page)).toHaveText(["Group 43"]);
  // Enter chooses, and does not send the form.
  await page.keyboard.press("Enter");
  await expect(group).toHaveValue("Group 43");
  await keys.press("Move");
  await expect(keys.row("one")).toContainText("Group 43");
});

test("in a low window the list leaves its field in sight", async ({ page, account }) => {
  const { group } = await openMoving(page, account);
  for (const height of [300, 420, 560, 900]) {
    await page.setViewportSize({ width: 360, height });
    await group.click();
    await expect(options(page).nth(10)).toBeAttached();
    const [field, list] = await Promise.all([
      group.boundingBox(),
      page.locator("[popover]:popover-open").boundingBox(),
    ]);
    if (!field || !list) throw new Error("there is no field or no list");
    expect(list.y >= field.y + field.height || list.y + list.height <= field.y).toBe(true);
    expect(list.y).toBeGreaterThanOrEqual(0);
    expect(list.y + list.height).toBeLessThanOrEqual(height);
    await page.keyboard.press("Escape");
  }
});
