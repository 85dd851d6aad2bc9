import { expect } from "playwright/test";
import { test } from "./account";
import { expectCopied } from "./copied";
import { expectFitForAll } from "./fit-for-all";
import { hold } from "./hold";
import { KeysPage } from "./pages/keys";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

/** Whether the server accepts a value. It answers 403 to a valid key that is not the default key, and 401 to other values. */
async function isAccepted(url: string | undefined, value: string): Promise<boolean> {
  const { status } = await fetch(`${url}/v1/account`, { headers: { authorization: `Bearer ${value}` } });
  expect([401, 403]).toContain(status);
  return status === 403;
}

test("the whole life of a key", async ({ page, account, baseURL }) => {
  await account.newGroup("Research");
  await account.newGroup("Production");
  const keys = new KeysPage(page);
  await keys.open();

  await test.step("it is created, and its value shown once", async () => {
    await keys.startCreating();
    await keys.fillName("gateway");
    await keys.chooseGroup("Research");
    await keys.fillLimit("Total budget", "12.5");
    await keys.press("Create key");
    await expect(keys.shownOnce.dialog).toContainText("You won't see this key again");
  });
  const value = await keys.shownOnce.value();

  await test.step("closing it uncopied asks again", async () => {
    for (const close of [() => page.keyboard.press("Escape"), () => keys.shownOnce.press("Done")]) {
      await close();
      await expect(keys.shownOnce.dialog).toContainText("The key has not been copied");
      await expect(keys.shownOnce.dialog.locator(":focus")).toHaveText(/^(Copy|Keep it open)$/);
      await keys.shownOnce.press("Keep it open");
    }
    await expect(keys.shownOnce.dialog).toContainText("You won't see this key again");
    expect(await keys.shownOnce.take()).toBe(value);
  });
  await expect(keys.row("gateway")).toContainText(value.slice(0, 10));
  await expect(keys.row("gateway")).toContainText("Research");
  await expect(keys.row("gateway")).toContainText("¥12.50");
  expect(await page.content()).not.toContain(value.slice(10));
  expect(await isAccepted(baseURL, value)).toBe(true);

  await test.step("it is found by a part of its name, and by its id", async () => {
    for (const text of ["ATEW", value.slice(3, 10)]) {
      await keys.search(text);
      await expect(keys.names()).toHaveText(["gateway"]);
    }
    await keys.search("");
    await expect(keys.names()).toHaveText(["gateway", "default"]);
  });

  await test.step("its limits are edited, with what changes said before", async () => {
    await keys.choose("gateway", "Edit limits");
    await expect(keys.dialog.getByRole("status")).toHaveText("Nothing changes.");
    await expect(keys.dialog.getByRole("textbox", { name: "Total budget" })).toHaveValue("12.5");
    await keys.fillLimit("Total budget", "20");
    await keys.fillLimit("Per day", "5.25");
    await keys.dialog.getByText("30 days").click();
    await expect(keys.dialog.getByRole("status").getByRole("listitem")).toHaveText([
      "Total budgetfrom ¥12.50 →  to ¥20",
      /^Expiresfrom Never → {2}to /,
      "Per dayfrom Unlimited →  to ¥5.25",
    ]);
    await keys.press("Save limits");
    await expect(keys.news).toContainText("Limits of “\u2068gateway\u2069” saved.");
    await expect(keys.row("gateway")).toContainText("¥5.25");
    expect(await account.call("GET", `/v1/apikeys/${value.slice(0, 10)}`)).toMatchObject({
      budget: 20,
      daily_limit: 5.25,
      monthly_limit: null,
      expiry_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  });

  await test.step("it is renamed", async () => {
    await keys.choose("gateway", "Rename");
    await keys.fillName("edge");
    await keys.press("Rename");
    await expect(keys.row("edge")).toBeVisible();
    await expect(keys.row("gateway")).toBeHidden();
  });

  await test.step("it is moved", async () => {
    await keys.choose("edge", "Move to group");
    await keys.chooseGroup("Production");
    await keys.press("Move");
    await expect(keys.row("edge")).toContainText("Production");
  });

  await test.step("it is disabled and enabled", async () => {
    await keys.choose("edge", "Disable");
    await expect(keys.question).toHaveAccessibleName("Disable “edge”?");
    await expect(keys.question.getByRole("button", { name: "Cancel" })).toBeFocused();
    await keys.press("Disable key");
    await expect(keys.row("edge")).toContainText("Disabled");
    expect(await isAccepted(baseURL, value)).toBe(false);
    await keys.choose("edge", "Enable");
    await keys.press("Enable key");
    await expect(keys.row("edge")).toContainText("Active");
    expect(await isAccepted(baseURL, value)).toBe(true);
  });

  const rotated = await test.step("it is rotated: both values work for the grace", async () => {
    await keys.choose("edge", "Rotate");
    await keys.dialog.getByRole("combobox", { name: "The old value works on for" }).selectOption("24 hours");
    await keys.press("Rotate key");
    await expect(keys.shownOnce.dialog).toContainText("The old value works until");
    const next = await keys.shownOnce.take();
    expect(next).not.toBe(value);
    expect(next.slice(0, 10)).toBe(value.slice(0, 10));
    expect(await isAccepted(baseURL, value)).toBe(true);
    expect(await isAccepted(baseURL, next)).toBe(true);
    return next;
  });

  await test.step("its page says so", async () => {
    await keys.row("edge").getByRole("link", { name: "edge" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "edge" })).toBeVisible();
    await expect(page.getByText("The value from before the rotation works too, until")).toBeVisible();
  });

  await test.step("it is rotated again: without grace the old values end", async () => {
    await page.getByRole("button", { name: "Rotate" }).click();
    await keys.dialog.getByRole("combobox").selectOption("No time: it ends now");
    await expect(keys.dialog.getByRole("status")).toHaveText([
      /^The value from before the last rotation works until .* Another rotation ends it at once\.$/,
      "Programs that use the old value are refused at once.",
    ]);
    await keys.press("Rotate key");
    const last = await keys.shownOnce.take();
    expect(await isAccepted(baseURL, value)).toBe(false);
    expect(await isAccepted(baseURL, rotated)).toBe(false);
    expect(await isAccepted(baseURL, last)).toBe(true);
    await page.getByRole("link", { name: "API keys" }).click();
    await expect(keys.heading).toBeVisible();

    await keys.choose("edge", "Revoke");
    await expect(keys.question).toContainText("This cannot be undone.");
    await keys.press("Revoke key");
    await expect(keys.row("edge")).toBeHidden();
    expect(await isAccepted(baseURL, last)).toBe(false);
  });

  await test.step("once revoked it is found by its status alone, and nothing can be done to it", async () => {
    await keys.filterBy("Status", "Revoked");
    await expect(keys.names()).toHaveText(["edge"]);
    await page.getByRole("button", { name: "Actions for edge" }).click();
    await expect(page.getByRole("menuitem")).toHaveText(["History"]);
  });
});

test("a rotation whose answer was lost is not made twice, and the value that programs use stays valid", async ({
  page,
  account,
  baseURL,
}) => {
  const { apikey: value } = await account.call("POST", "/v1/apikeys", { name: "edge" });
  const keys = new KeysPage(page);
  await keys.open();
  await keys.choose("edge", "Rotate");
  const calls = "**/api/trpc/keys.rotate**";
  await page.route(calls, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await keys.press("Rotate key");
  await expect(keys.dialog.getByRole("alert")).toHaveText("The server cannot be reached. Try again.");
  await page.unroute(calls);
  await keys.press("Rotate key");
  const conflict = keys.dialog.getByRole("alert");
  await expect(conflict).toContainText("Changed meanwhile");
  await conflict.getByRole("button", { name: "Show it as it is now" }).click();
  await expect(keys.dialog).toContainText("The value from before the last rotation works until");
  await expect(conflict).toBeHidden();
  expect(await isAccepted(baseURL, value)).toBe(true);

  await keys.press("Rotate key");
  const next = await keys.shownOnce.take();
  expect(await isAccepted(baseURL, next)).toBe(true);
  expect(await isAccepted(baseURL, value)).toBe(false);
});

test("a key that is rotated from the list tells that an earlier value still works, also to who is faster", async ({
  page,
  account,
}) => {
  const id = await account.newKey("edge");
  const rotated = await account.call("POST", `/v1/apikeys/${id}/rotate`, { grace_seconds: 3600 });
  const keys = new KeysPage(page);
  await keys.open();
  const reading = await hold(page, "**/api/trpc/keys.get**");
  await keys.choose("edge", "Rotate");
  await keys.press("Rotate key");
  await reading.asked;
  reading.release();
  await expect(keys.dialog).toContainText("The value from before the last rotation works until");
  await expect(keys.dialog.getByRole("button", { name: "Rotate key" })).toBeEnabled();
  await keys.press("Rotate key");
  expect(await keys.shownOnce.take()).not.toBe(rotated.apikey);
});

test("a key is created with the keyboard alone", async ({ page, account, baseURL }) => {
  await account.newGroup("Research");
  const keys = new KeysPage(page);
  await keys.open();
  const tabTo = async (name: string, role: "button" | "switch" | "combobox" | "radio" = "button") => {
    const open = page.locator("dialog[open]");
    const target = ((await open.count()) > 0 ? open : page).getByRole(role, { name, exact: true });
    for (let presses = 0; presses < 40; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    await expect(target).toBeFocused();
  };
  await tabTo("Create key");
  await page.keyboard.press("Enter");
  await expect(keys.dialog.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.keyboard.type("by keyboard");
  await tabTo("Group", "combobox");
  await page.keyboard.type("Res");
  await expect(keys.dialog.getByRole("option", { name: "Research", exact: true })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await tabTo("Per day", "switch");
  await page.keyboard.press("Space");
  await expect(keys.dialog.getByRole("textbox", { name: "Per day (yuan)" })).toBeFocused();
  await page.keyboard.type("7");
  await page.keyboard.press("Enter");
  await expect(keys.shownOnce.dialog).toBeVisible();
  const value = await keys.shownOnce.value();
  const copy = keys.shownOnce.dialog.getByRole("group", { name: "Key", exact: true }).getByRole("button");
  await expect(copy).toBeFocused();
  await expectCopied(page, () => page.keyboard.press("Enter"), "dialog[open] button");
  await page.keyboard.press("Escape");
  await expect(keys.shownOnce.dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Create key" })).toBeFocused();
  await expect(keys.row("by keyboard")).toContainText("Research");
  await expect(keys.row("by keyboard")).toContainText("¥7");
  expect(await isAccepted(baseURL, value)).toBe(true);
});

test("what is wrong is said at its field, before it is sent", async ({ page, account }) => {
  const keys = new KeysPage(page);
  await keys.open();
  await keys.startCreating();
  await keys.press("Create key");
  await expect(keys.dialog.getByText("Enter a name.")).toBeVisible();
  await keys.fillName("x".repeat(129));
  await expect(keys.dialog.getByText("At most 128 characters.")).toBeVisible();
  await keys.fillName("fine");
  await keys.fillLimit("Total budget", "-1");
  await keys.press("Create key");
  await expect(keys.dialog.getByText("Enter 0 or more; 0 means no limit.")).toBeVisible();
  const budget = keys.dialog.getByRole("textbox", { name: "Total budget" });
  await expect(budget).toHaveAttribute("aria-invalid", "true");
  await expect(budget).toBeFocused();
  expect((await account.call("GET", "/v1/apikeys")).data).toHaveLength(1);
});

test("nobody sees the keys of another account", async ({ page, context, account, other }) => {
  await account.newKey("mine");
  const theirs = await other.newKey("theirs");
  const keys = new KeysPage(page);
  await keys.open();
  await expect(keys.names()).toHaveText(["mine", "default"]);
  await page.goto(`/keys/${theirs}`);
  await expect(page.getByRole("heading", { level: 1, name: "No such key" })).toBeVisible();
  // The same browser signs in as the other account. It shows nothing of the first one.
  await context.clearCookies();
  await other.signIn(context);
  await keys.open();
  await expect(keys.names()).toHaveText(["theirs", "default"]);
});

test("in Chinese, the pages speak Chinese", async ({ page, context, account, baseURL }) => {
  const id = await account.newKey("one", { budget: 12.5 });
  await context.addCookies([{ name: "language", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto("/keys");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("API 密钥");
  await expect(page.getByRole("button", { name: "总计：¥0 / ¥12.50" })).toBeVisible();
  await page.getByRole("button", { name: "创建密钥" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "创建密钥" }).click();
  await expect(page.getByText("请输入名称。")).toBeVisible();
  await page.goto(`/keys/${id}`);
  await expect(page.getByText("总预算").first()).toBeVisible();
});

test("the pages and their dialogs are fit for all", async ({ page, account }) => {
  test.slow();
  const group = await account.newGroup("Research");
  const id = await account.newKey("one", {
    budget: 5,
    input_price_limit: 8,
    expiry_date: "2030-01-01",
    group_id: group,
  });
  await account.newKey("two", { expiry_date: "2020-01-01" });
  await account.newKey("three");
  await account.call("POST", `/v1/apikeys/${id}/disable`, {});
  const keys = new KeysPage(page);
  await keys.open();
  await expectFitForAll(page);
  await keys.open("?q=nothing");
  await expectFitForAll(page);
  await keys.open();
  await keys.tick("one");
  await expectFitForAll(page);
  await keys.selection.getByRole("button", { name: "Move" }).click();
  await expectFitForAll(page);
  await keys.press("Cancel");
  await keys.selection.getByRole("button", { name: "Clear the selection" }).click();
  for (const action of ["Edit limits", "Rename", "Move to group", "Rotate", "Enable", "Revoke"]) {
    await keys.choose("one", action);
    await expectFitForAll(page);
    await keys.press("Cancel");
  }
  await keys.choose("three", "Disable");
  await expectFitForAll(page);
  await keys.press("Cancel");
  await keys.startCreating();
  await keys.fillLimit("Total budget", "x");
  await keys.press("Create key");
  await expectFitForAll(page);
  await keys.fillName("four");
  await keys.fillLimit("Total budget", "1");
  await keys.press("Create key");
  await expectFitForAll(page);
  await keys.shownOnce.press("Done");
  await expectFitForAll(page);
  await keys.shownOnce.press("Close anyway");
  await page.goto(`/keys/${id}`);
  await expect(page.getByRole("heading", { level: 1, name: "one" })).toBeVisible();
  await expectFitForAll(page);
});

test("the id of a key stays in one line, however wide the window is", async ({ page, account }) => {
  // Browsers break a line between a hyphen and a letter.
  let id = "";
  while (!/^sk-[a-z]/i.test(id)) id = await account.newKey("production");
  const keys = new KeysPage(page);
  const brokenAt = async () => {
    const widths: number[] = [];
    for (let width = 300; width < 500; width += 4) {
      await page.setViewportSize({ width, height: 740 });
      const lines = await page.getByText(id).evaluateAll((places, id) => {
        const range = document.createRange();
        return places.flatMap(({ textContent, childNodes }) => {
          const [text] = childNodes;
          const start = textContent?.indexOf(id) ?? -1;
          if (!(text instanceof Text) || start < 0) return [];
          range.setStart(text, start);
          range.setEnd(text, start + id.length);
          return [new Set([...range.getClientRects()].map(({ top }) => top)).size];
        });
      }, id);
      expect(lines.length).toBeGreaterThan(0);
      if (Math.max(...lines) > 1) widths.push(width);
    }
    return widths;
  };
  await keys.open(`?q=${id}`);
  await page.getByRole("button", { name: "Actions for production" }).click();
  await page.getByRole("menuitem", { name: "Rotate" }).click();
  expect(await brokenAt()).toEqual([]);
});
