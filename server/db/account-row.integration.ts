import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import { readPresent } from "../demo/queries";
import { readCalendar } from "../overview/queries";
import { database, newAccount } from "../testing/database";
import { type FakeClock, makeFakeClock } from "../testing/fake-clock";
import type { Database } from "./client";

// The clocks in Havana were put back from 01:00 to 00:00 on 2026-11-01, so that 00:00 was at 04:00 UTC and at 05:00 UTC.

const FIRST_MIDNIGHT = new Date("2026-11-01T04:00:00Z");

let clock: FakeClock;
let db: Database;
let accountId: AccountId;

beforeAll(async () => {
  clock = await makeFakeClock(database);
  db = clock.open();
  accountId = (await newAccount()).account_id;
  await database.prisma.account.update({ where: { id: accountId }, data: { timeZone: "America/Havana" } });
});
afterAll(() => db?.close());

test("a month begins at the first 00:00, and the month before ends there", async () => {
  await clock.set(new Date("2026-11-15T12:00:00Z"));
  expect((await readCalendar(db, accountId)).month_starts_at).toBe(FIRST_MIDNIGHT.getTime() / 1000);
  await clock.set(new Date("2026-10-15T12:00:00Z"));
  expect((await readCalendar(db, accountId)).month_ends_at).toBe(FIRST_MIDNIGHT.getTime() / 1000);
});

test("today has begun already between the first 00:00 and the second", async () => {
  await clock.set(new Date("2026-11-01T04:30:00Z"));
  expect(await readPresent(db, accountId)).toMatchObject({ today: "2026-11-01", midnight: FIRST_MIDNIGHT });
});
