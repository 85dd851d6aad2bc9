import { expect, test } from "vitest";
import { EMPTY_DRAFT } from "@/app/_limits/draft";
import { namesFromDefaults, refilled } from "./refill";

const research = { ...EMPTY_DRAFT, budget: "100", daily_limit: "10" };
const lab = { ...EMPTY_DRAFT, budget: "200", expiry_date: "2030-12-31" };

test("an untouched form gets the defaults of each group that is chosen, and loses them with no group", () => {
  const first = refilled(EMPTY_DRAFT, EMPTY_DRAFT, research);
  expect(first).toEqual(research);
  expect(refilled(first, research, lab)).toEqual(lab);
  expect(refilled(lab, lab, EMPTY_DRAFT)).toEqual(EMPTY_DRAFT);
});

test("what was typed or turned off stays when another group is chosen", () => {
  const typed = { ...research, budget: "55", daily_limit: null, monthly_limit: "7" };
  expect(refilled(typed, research, lab)).toEqual({ ...lab, budget: "55", monthly_limit: "7" });
});

test("the limits that come from the group are named, in the order of the form", () => {
  expect(namesFromDefaults(research, research)).toEqual(["budget", "daily_limit"]);
  expect(namesFromDefaults({ ...research, budget: "1" }, research)).toEqual(["daily_limit"]);
  expect(namesFromDefaults(EMPTY_DRAFT, EMPTY_DRAFT)).toEqual([]);
});
