import { describe, expect, test } from "vitest";
import { addressOf } from "@/app/_saved-filters/address";
import { daysOf, eventsInput, loadHistoryAddress, searchText } from "./history-address";

const NO_DAYS = { from: null, to: null };

describe("the days of a span", () => {
  test.each([
    ["today", "2026-03-01", { from: "2026-03-01", to: "2026-03-01" }],
    ["yesterday", "2026-03-01", { from: "2026-02-28", to: "2026-02-28" }],
    ["7", "2026-03-03", { from: "2026-02-25", to: "2026-03-03" }],
    ["30", "2026-03-01", { from: "2026-01-31", to: "2026-03-01" }],
    ["month", "2026-03-17", { from: "2026-03-01", to: "2026-03-17" }],
    ["last_month", "2026-03-31", { from: "2026-02-01", to: "2026-02-28" }],
    ["last_month", "2026-01-31", { from: "2025-12-01", to: "2025-12-31" }],
  ] as const)("%s of %s", (range, today, days) => expect(daysOf({ range, ...NO_DAYS }, today)).toEqual(days));

  test("own days, or none", () => {
    expect(daysOf({ range: "own", from: "2026-01-01", to: null }, "2026-03-01")).toEqual({ from: "2026-01-01" });
    expect(daysOf({ range: null, ...NO_DAYS }, "2026-03-01")).toEqual({});
  });
});

describe("the text of a search", () => {
  test.each([
    ["  prod ", "prod"],
    ["sk-AbC1234", "sk-AbC1234"],
    [`sk-AbC1234${"x".repeat(38)}`, "sk-AbC1234"],
    ["sk-AbC1234Zk3vWq", "sk-AbC1234"],
    ["6920a1f0c3d4e5f607182940", "6920a1f0c3d4e5f607182940"],
    ["production-gateway-of-europe", "production-gateway-of-europe"],
    ["知识库", "知识库"],
  ])("%s", (typed, text) => expect(searchText(typed)).toBe(text));
});

test("the address of a saved filter asks for all that the filter has", () => {
  const history = {
    search: "50 % & more",
    action: "key.limits_set",
    actor: "rest",
    apikey_id: "sk-AbC1234",
    group_id: "6920a1f0c3d4e5f60718293a",
    from: "2026-11-01",
    to: "2026-11-30",
  } as const;
  const { searchParams } = new URL(addressOf({ keys: null, history }), "http://localhost");
  expect(eventsInput(loadHistoryAddress(searchParams), "2026-12-24")).toEqual({ ...history, page: 1 });
});
