import { describe, expect, test } from "vitest";
import { today } from "../db/account-row";
import { database } from "../testing/database";
import { dayResetsAt, monthResetsAt } from "./state";

/** Those whose clocks are put forward or back at midnight, or near it, and some others. */
const ZONES = [
  ...["UTC", "Asia/Shanghai", "America/New_York", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe"],
  // 00:00 comes twice, when the clock goes back from 01:00.
  ...["Atlantic/Azores", "America/Havana"],
  // There is no 00:00, when the clock goes forward.
  ...["Africa/Cairo", "Asia/Beirut", "America/Santiago", "America/Asuncion", "America/Sao_Paulo", "Asia/Amman"],
  // The clock goes from 23:00 to 00:00, and from 00:00 back to 23:00.
  "America/Nuuk",
  "Pacific/Kiritimati",
];

/**
 * When the window of a key ends, in each of the zones `$1` and on each of some days.
 * @param days they are to come, because a key is never in a day before today.
 */
const resets = (resetsAt: string, days: string) => `
  SELECT account.time_zone AS zone, key.day, ${resetsAt} AS resets_at
  FROM (SELECT *, ${today} AS today FROM unnest($1::text[]) AS asked(time_zone)) AS account
  CROSS JOIN (SELECT day::date AS day FROM ${days}) AS key`;

describe("the moment in which a window begins anew", () => {
  test.each([
    ["day", dayResetsAt],
    ["month", monthResetsAt],
  ])("is the first one after the %s, in every zone, whenever its clocks change", async (unit, resetsAt) => {
    const days = "generate_series('2027-01-01'::date, '2031-12-31', '1 day') AS day";
    const { rows } = await database.pool.query(
      `WITH found AS (${resets(resetsAt, days)}), begun AS (
        SELECT zone, day::text, resets_at,
          date_trunc('${unit}', day::timestamp) AS own,
          date_trunc('${unit}', to_timestamp(resets_at) AT TIME ZONE zone) AS at_reset,
          date_trunc('${unit}', to_timestamp(resets_at - 1) AT TIME ZONE zone) AS before
        FROM found
      )
      SELECT zone, day, resets_at, count(*) OVER () AS wrong FROM begun
      WHERE at_reset <> own + interval '1 ${unit}' OR before <> own LIMIT 5`,
      [ZONES],
    );
    expect(rows).toEqual([]);
  });

  test.each([
    // The clock goes back from 01:00 to 00:00 on the next day, which begins with the first 00:00.
    ["Atlantic/Azores", "2027-10-30", "2027-10-31T00:00:00Z"],
    // The clock goes forward from 24:00 to 01:00, where the next day begins.
    ["Africa/Cairo", "2027-04-29", "2027-04-29T22:00:00Z"],
    // The day has 23 hours.
    ["America/New_York", "2027-03-14", "2027-03-15T04:00:00Z"],
    ["Asia/Shanghai", "2027-02-28", "2027-02-28T16:00:00Z"],
    ["UTC", "2028-02-28", "2028-02-29T00:00:00Z"],
  ])("%s, after %s: %s", async (zone, day, moment) => {
    const { rows } = await database.pool.query(resets(dayResetsAt, `(VALUES ('${day}')) AS one(day)`), [[zone]]);
    expect(rows[0].resets_at).toBe(Date.parse(moment) / 1000);
  });

  test("of a month: its last days, and the turn of the year", async () => {
    const of = async (day: string) => {
      const { rows } = await database.pool.query(resets(monthResetsAt, `(VALUES ('${day}')) AS one(day)`), [
        ["Asia/Shanghai"],
      ]);
      return new Date(rows[0].resets_at * 1000).toISOString();
    };
    expect(await of("2028-02-29")).toBe("2028-02-29T16:00:00.000Z");
    expect(await of("2027-12-31")).toBe("2027-12-31T16:00:00.000Z");
    expect(await of("2027-01-31")).toBe("2027-01-31T16:00:00.000Z");
  });
});
