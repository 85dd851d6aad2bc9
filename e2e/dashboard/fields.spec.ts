import { expect } from "playwright/test";
import { test } from "./account";
import { KeysPage } from "./pages/keys";

test("a press right after leaving a wrong field counts, because its error moves nothing", async ({ page, account }) => {
  await account.newKey("one");
  const keys = new KeysPage(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await keys.open();
  await keys.startCreating();
  const place = async (name: string) => (await keys.dialog.getByRole("switch", { name }).boundingBox())?.y;

  // The error of the name appears while the switch below is pressed.
  await keys.fillName("x".repeat(129));
  await keys.dialog.getByRole("switch", { name: "Total budget" }).click();
  await expect(keys.dialog.getByText("At most 128 characters.")).toBeVisible();
  await expect(keys.dialog.getByRole("switch", { name: "Total budget" })).toBeChecked();

  // Each error of an amount has one line.
  const amount = keys.dialog.getByRole("textbox", { name: "Total budget (" });
  const below = await place("Per day");
  for (const [typed, error] of [
    ["0.0000000001", "Enter at least 0.000000001, or 0 for no limit."],
    ["twelve", "Enter a number in digits, for example 12.5."],
    ["9999999999999999", "Enter at most 1,000,000,000,000,000."],
  ] as const) {
    await amount.fill(typed);
    await keys.dialog.getByRole("switch", { name: "Per day" }).focus();
    await expect(keys.dialog.getByText(error)).toBeVisible();
    expect(await place("Per day")).toBe(below);
  }
  await amount.fill("-1");
  await keys.press("Cancel");
  await expect(keys.dialog).toBeHidden();
});

test("a dialog scrolls below its head, and a wrong field that gets the focus is seen with its name", async ({
  page,
  account: _owner,
}) => {
  const keys = new KeysPage(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await keys.open();
  await keys.startCreating();
  for (const name of ["Total budget", "Per day", "Per month"]) await keys.fillLimit(name, "1");
  await keys.dialog.getByText("A date", { exact: true }).click();
  await expect(keys.dialog.getByLabel("Expires: date")).toBeVisible();
  await expect(keys.dialog.getByRole("heading", { name: "Create key" })).toBeInViewport({ ratio: 1 });
  await keys.press("Create key");
  await expect(keys.dialog.getByRole("textbox", { name: "Name" })).toBeFocused();
  await expect(keys.dialog.getByText("Name", { exact: true })).toBeInViewport({ ratio: 1 });
});

test("the error of an amount stands clear of the line below it", async ({ page, account }) => {
  await account.newKey("one");
  const keys = new KeysPage(page);
  await keys.open();
  await keys.startCreating();
  await keys.fillLimit("Total budget", "twelve");
  await keys.dialog.getByRole("switch", { name: "Per day" }).focus();
  const room = await keys.dialog.getByText("Enter a number in digits").evaluate((error) => {
    const row = error.parentElement ?? error;
    return row.getBoundingClientRect().bottom - error.getBoundingClientRect().bottom;
  });
  expect(room).toBeGreaterThanOrEqual(4);
});

test("a limit of any length is told to be too large", async ({ page, account }) => {
  await account.newKey("one");
  const keys = new KeysPage(page);
  await keys.open();
  await keys.choose("one", "Edit limits");
  for (const length of [22, 400]) {
    await keys.fillLimit("Total budget", "9".repeat(length));
    await keys.press("Save limits");
    await expect(keys.dialog.getByRole("textbox", { name: "Total budget (" })).toHaveAttribute("aria-invalid", "true");
  }
  await expect(keys.dialog).toContainText("¥0 spent, ¥0 held");
});

test("a date that is typed stays a date, also on the way past one that has a button", async ({ page, account }) => {
  const keys = new KeysPage(page);
  await keys.open();
  await keys.startCreating();
  await keys.fillName("dated");
  await keys.dialog.getByText("7 days", { exact: true }).click();
  for (const name of ["Total budget", "Per day", "Per month"]) await keys.fillLimit(name, "1");
  await keys.dialog.getByText("A date", { exact: true }).click();
  await keys.press("Create key");
  await expect(keys.dialog.getByText("Enter a day of the calendar.")).toBeVisible();
  const date = keys.dialog.getByLabel("Expires: date");
  await expect(date).toBeFocused();
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toLocaleDateString("sv-SE");
  for (const days of [6, 7, 8]) {
    await date.fill(day(days));
    await expect(date).toBeFocused();
    await expect(keys.dialog.getByRole("radio", { name: "A date" })).toBeChecked();
  }
  await keys.dialog.getByText("Never", { exact: true }).click();
  await expect(date).toBeHidden();
  await keys.dialog.getByText("30 days", { exact: true }).click();
  await expect(date).toBeHidden();
  await keys.press("Create key");
  await expect(keys.shownOnce.dialog).toBeVisible();
  const { data } = await account.call("GET", "/v1/apikeys?search=dated");
  expect(data).toMatchObject([{ expiry_date: expect.any(String) }]);
});

test("the keys of an input method belong to the word that is being composed", async ({ page, context, account }) => {
  await account.newGroup("研发");
  const keys = new KeysPage(page);
  await keys.open();
  await keys.startCreating();
  const keyboard = await context.newCDPSession(page);
  const compose = (text: string) =>
    keyboard.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  const press = (key: string) =>
    keyboard.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key, code: key, windowsVirtualKeyCode: 229 });

  await keys.dialog.getByRole("textbox", { name: "Name" }).focus();
  await compose("yan fa");
  await press("Escape");
  await expect(keys.dialog.getByRole("textbox", { name: "Name" })).toHaveValue("yan fa");
  await keyboard.send("Input.insertText", { text: "研发" });

  const group = keys.dialog.getByRole("combobox", { name: "Group" });
  await group.click();
  await compose("研");
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText(["研发"]);
  for (const key of ["Enter", "ArrowDown", "Escape"]) await press(key);
  await expect(group).toHaveValue("研");
  await expect(group).toHaveAttribute("aria-expanded", "true");
  await keyboard.send("Input.insertText", { text: "研发" });
  await expect(group).toHaveValue("研发");
  await expect(group).toHaveAttribute("aria-activedescendant", /option/);
  await page.keyboard.press("Enter");
  await expect(group).toHaveAttribute("aria-expanded", "false");
  await keys.press("Create key");
  await expect(keys.shownOnce.dialog).toBeVisible();
  expect((await account.call("GET", "/v1/apikeys?search=研发")).data).toMatchObject([{ group_name: "研发" }]);
});

test("in a very low window a dialog shows its first field whole", async ({ page, account: _owner }) => {
  const keys = new KeysPage(page);
  await keys.open();
  // As a window of 1280 × 900 at 400 %.
  await page.setViewportSize({ width: 320, height: 225 });
  await keys.startCreating();
  await expect(keys.dialog.getByRole("textbox", { name: "Name" })).toBeInViewport({ ratio: 1 });
});

test("a long question can be read from its title to its buttons on a phone on its side", async ({ page, account }) => {
  const names = ["one", "two", "three", "four", "five"];
  for (const name of names) await account.newKey(name);
  const keys = new KeysPage(page);
  await keys.open();
  await page.setViewportSize({ width: 568, height: 320 });
  await keys.tick("default", ...names);
  await keys.selection.getByRole("button", { name: "Revoke" }).click();
  await expect(keys.question.getByText("five")).toBeAttached();
  await page.mouse.move(284, 100);
  await page.mouse.wheel(0, 1000);
  await expect(keys.question.getByRole("button", { name: "Revoke" })).toBeInViewport({ ratio: 0.9 });
  await page.mouse.wheel(0, -1000);
  await expect(keys.question.getByRole("heading")).toBeInViewport({ ratio: 0.9 });
});

test("in a very low window a question begins with its title, and the focus is on Cancel", async ({ page, account }) => {
  await account.newKey("production");
  const keys = new KeysPage(page);
  await keys.open();
  await page.setViewportSize({ width: 320, height: 225 });
  await keys.choose("production", "Revoke");
  await expect(keys.question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expect(keys.question.getByRole("heading")).toBeInViewport({ ratio: 0.9 });
});
