import { expect } from "playwright/test";
import { test } from "./account";
import { HistoryPage } from "./pages/history";
import { Palette } from "./pages/palette";

test("times of the hour that comes twice name their zone", async ({ page, account }) => {
  await account.call("POST", "/v1/account", { time_zone: "Europe/Berlin" });
  await account.addEventsAt(
    new Date("2025-10-26T00:30:00Z"),
    new Date("2025-10-26T01:10:00Z"),
    new Date("2025-10-26T02:00:00Z"),
  );
  const history = new HistoryPage(page);
  await history.open("?range=own&from=2025-10-26&to=2025-10-26");
  await expect(history.events.getByRole("time")).toHaveText([
    "Oct 26, 2025, 03:00:00",
    "Oct 26, 2025, 02:10:00 GMT+1",
    "Oct 26, 2025, 02:30:00 GMT+2",
  ]);
});

test("yesterday is the day before today, not what is a day away", async ({ page, account }) => {
  // The zone of the account has no summer time.
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Shanghai" }).format(new Date());
  const lastMidnight = Date.parse(`${today}T00:00:00+08:00`) - 86_400_000;
  await account.addEventsAt(new Date(lastMidnight), new Date(lastMidnight - 1_000));
  await page.goto("/overview");
  await expect(page.getByRole("list", { name: "Newest changes" }).getByRole("time")).toHaveText([
    /^(now|\d+ .* ago)$/,
    "yesterday",
    "2 days ago",
  ]);
});

for (const [what, addressOf] of [
  ["the keys", () => "/keys"],
  ["a key", (id: string) => `/keys/${id}`],
] as const) {
  test(`${what} on a page that stays open: read again when the next day begins`, async ({ page, account }) => {
    const id = await account.newKey("gateway");
    await page.clock.install();
    await page.goto(addressOf(id));
    // The palette opens when the scripts of the page have run.
    await new Palette(page).open();
    await page.keyboard.press("Escape");
    await account.call("POST", `/v1/apikeys/${id}/budget`, { budget: 77 });
    const limit = page.getByRole("main").getByText("¥77").first();
    await expect(limit).toBeHidden();
    // The next midnight is a day away at most. The list may wait for it later than the palette opens, and then for the one after.
    await expect(async () => {
      await page.clock.fastForward("24:00:00");
      await expect(limit).toBeVisible({ timeout: 5_000 });
    }).toPass();
  });
}
