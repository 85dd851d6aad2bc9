import { expect } from "vitest";
import { type Account, call } from "./client";

/** Expects what the program in the README of a client leaves behind: a group, a key with its limits, and 2.1 yuan spent. */
export async function expectFiveCalls({ apikey }: Account): Promise<void> {
  const groups = await call("GET", "/v1/apikey_groups", { key: apikey });
  expect(groups.body.data).toMatchObject([{ name: "Research", apikey_count: 1 }]);
  const keys = await call("GET", "/v1/apikeys?search=production", { key: apikey });
  expect(keys.body.data).toMatchObject([
    {
      group_name: "Research",
      budget: 200,
      expiry_date: "2030-12-31",
      monthly_limit: 500,
      input_price_limit: 8,
      spent: 2.1,
      held: 0,
    },
  ]);
}
