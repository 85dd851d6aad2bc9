import { expect, test } from "vitest";
import { Prisma } from "@/prisma/generated/client";
import { database } from "../testing/database";
import { countUpToLimit } from "./bounded-count";

test.each([
  [0, { total: 0, isTotalExact: true }],
  [100_000, { total: 100_000, isTotalExact: true }],
  [100_001, { total: 100_000, isTotalExact: false }],
  [250_000, { total: 100_000, isTotalExact: false }],
])("%i rows", async (rows, counted) => {
  expect(await countUpToLimit(database, Prisma.sql`FROM generate_series(1, ${rows}::int)`)).toEqual(counted);
});
