import { expect, test } from "vitest";
import { z } from "zod";
import { faultsOf } from "./fault";

const issuesOf = (count: number) => z.array(z.string()).safeParse(Array(count).fill(0)).error?.issues ?? [];

test("of many faults the first 100 are named and the others counted", () => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ parameter: String(i), code: "wrong_type", values: { type: "string" } }));
  expect(faultsOf(issuesOf(100))).toEqual(named(100));
  expect(faultsOf(issuesOf(103))).toEqual([
    ...named(100),
    { parameter: "", code: "more_faults", values: { count: 3 } },
  ]);
});
