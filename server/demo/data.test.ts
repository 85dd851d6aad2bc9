import { expect, test } from "vitest";
import { REFUSAL_DAYS } from "../overview/schema";
import { DAY } from "./clock";
import { makeDemoData } from "./data";

/** Few keys, so that chance would leave something out. One of them is there for each kind of refusal. */
const SIZE = { keys: 72, groups: 10, keyPrefix: "aaa", defaultKeyId: "aaadefault", email: "owner@example.com" };
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

test.each(["2026-11-23T04:29:21Z", "2026-11-01T00:00:30Z", "2026-12-31T23:59:30Z"])(
  "each limit has a key that reached it, and refusals of the last days, whatever the seed (%s)",
  (moment) => {
    const now = new Date(moment);
    const today = moment.slice(0, 10);
    for (const seed of SEEDS) {
      const data = makeDemoData({ ...SIZE, seed }, { now, today, midnight: new Date(today) });
      const reached = data.keys.flatMap((key) => {
        const spent = { budget: key.spent, daily_limit: key.day_spent, monthly_limit: key.month_spent };
        const limits = ["budget", "daily_limit", "monthly_limit"] as const;
        return limits.filter((limit) => key[limit] && Number(spent[limit]) >= key[limit]);
      });
      expect([...new Set(reached)].sort(), `seed ${seed}`).toEqual(["budget", "daily_limit", "monthly_limit"]);
      const shown = data.refusals.filter(({ day }) => Date.parse(today) - Date.parse(day) < REFUSAL_DAYS * DAY);
      expect(
        shown.map(({ code }) => code),
        `seed ${seed}`,
      ).toEqual(
        expect.arrayContaining(["budget", "daily_limit", "monthly_limit", "input_price_limit", "output_price_limit"]),
      );
    }
  },
);
