import { expect, test } from "vitest";
import { EMPTY_DRAFT } from "@/app/_limits/draft";
import { faultsOfKey, inputOf, type PlannedKey, withDefaults } from "./planned-key";

const key: PlannedKey = { name: "a", group: null, limits: EMPTY_DRAFT };
const research = { id: "6920a1f0c3d4e5f60718293a", name: "Research" };

test("every fault of a key is named, by the rules of the server", () => {
  expect(faultsOfKey(key)).toEqual([]);
  expect(
    faultsOfKey({ ...key, group: research, limits: { ...EMPTY_DRAFT, budget: "0", expiry_date: "2030-02-28" } }),
  ).toEqual([]);
  const wrong = {
    name: "x".repeat(129),
    group: { id: undefined, name: "Nowhere" },
    limits: { ...EMPTY_DRAFT, budget: "1,000", daily_limit: "-1", expiry_date: "2030-02-30" },
    hasMoreCells: true,
  };
  expect(faultsOfKey(wrong)).toEqual([
    { of: "name", fault: "tooLong" },
    { of: "group", fault: "noSuchGroup" },
    { of: "limit", limit: "budget", fault: "notNumber" },
    { of: "limit", limit: "expiry_date", fault: "notDate" },
    { of: "limit", limit: "daily_limit", fault: "negative" },
    { of: "row", fault: "moreCells" },
  ]);
});

test("a key gets what is shown, and nothing else from its group", () => {
  expect(inputOf({ ...key, limits: { ...EMPTY_DRAFT, budget: "5" } })).toEqual({ name: "a", budget: 5 });
  expect(inputOf({ ...key, group: research })).toEqual({ name: "a", group_id: research.id, apply_defaults: false });
});

test("an empty cell takes the default of the group; 0 is no limit", () => {
  const defaults = { ...EMPTY_DRAFT, budget: "100", daily_limit: "10" };
  expect(withDefaults({ budget: "0" }, defaults)).toEqual({ ...defaults, budget: "0" });
  expect(withDefaults({})).toEqual(EMPTY_DRAFT);
});
