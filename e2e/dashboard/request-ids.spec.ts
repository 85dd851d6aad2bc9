import { randomUUID } from "node:crypto";
import { expect } from "playwright/test";
import { test } from "./account";
import { newSpendingKey } from "./spend";

test("ids of requests are no tower of single letters where a table is wider than its place", async ({
  page,
  account,
}) => {
  const key = await newSpendingKey(account, "production");
  for (const isVoided of [false, true]) {
    const call = { apikey: key.value, amount: 1234.567891234, request_id: randomUUID() };
    const { authorization_id } = await account.call("POST", "/v1/authorizations", call);
    if (isVoided) await account.call("POST", `/v1/authorizations/${authorization_id}/void`);
  }
  await page.setViewportSize({ width: 800, height: 800 });
  await page.goto(`/keys/${key.id}`);
  for (const name of ["Activity", "Open authorizations"]) {
    const row = page.getByRole("table", { name }).getByRole("row").nth(1);
    await expect(row).toContainText("-");
    // Three lines.
    expect((await row.boundingBox())?.height, name).toBeLessThan(80);
  }
});
