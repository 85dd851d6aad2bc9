import { expect, test } from "vitest";
import { exportInput, loadKeysSearch } from "@/app/_keys/keys-search";
import { addressOf } from "./address";

test("the list of keys asks for all that a saved filter has", () => {
  const keys = {
    search: "50 % & more",
    group_id: "6920a1f0c3d4e5f60718293a",
    status: "active",
    look: "over_80",
    sort: "spent",
    order: "asc",
  } as const;
  const { searchParams } = new URL(addressOf({ keys, history: null }), "http://localhost");
  expect(exportInput(loadKeysSearch(searchParams))).toEqual(keys);
});
