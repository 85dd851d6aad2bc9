import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, type Calendar, comparedDays, projectMonth } from "./calendar";

const day = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2090-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test.each([
  ["2026-11-22", "2026-11-21", "2026-11-01", "2026-10-01", "2026-10-22", "2026-10-31", "2026-11-30"],
  ["2026-03-31", "2026-03-30", "2026-03-01", "2026-02-01", "2026-02-28", "2026-02-28", "2026-03-31"],
  ["2024-03-29", "2024-03-28", "2024-03-01", "2024-02-01", "2024-02-29", "2024-02-29", "2024-03-31"],
  ["2026-01-01", "2025-12-31", "2026-01-01", "2025-12-01", "2025-12-01", "2025-12-31", "2026-01-31"],
])("the days that %s is compared with", (today, yesterday, first, lastFirst, same, last, lastOfMonth) => {
  expect(comparedDays(today)).toEqual({
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    this_month: { from: first, to: today },
    last_month_same_days: { from: lastFirst, to: same },
    last_month: { from: lastFirst, to: last },
    lastOfMonth,
  });
});

test("the last month is compared over as many days as this one has, or whole", () => {
  const length = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  fc.assert(
    fc.property(day, (today) => {
      const days = comparedDays(today);
      expect(length(days.last_month_same_days)).toBe(Math.min(length(days.this_month), length(days.last_month)));
      expect(addDays(days.last_month.to, 1)).toBe(days.this_month.from);
      expect(addDays(days.lastOfMonth, 1).slice(8)).toBe("01");
      expect(days.lastOfMonth.slice(0, 7)).toBe(today.slice(0, 7));
    }),
  );
});

/** A moment of a month that is not on its first day. */
const within = fc
  .record({
    days: fc.integer({ min: 28, max: 31 }),
    share: fc.double({ min: 0.04, max: 1, noNaN: true }),
    starts: fc.integer({ min: 0, max: 2 ** 32 }),
  })
  .map(({ days, share, starts }): Calendar => {
    const ends = starts + days * 86_400;
    return { today: "2026-11-02", now: starts + share * (ends - starts), month_starts_at: starts, month_ends_at: ends };
  });
const yuan = fc.integer({ min: 0, max: 1e12 }).map((cents) => cents / 100);

test("at this pace, a month costs what is spent, divided by the part of it that is over", () => {
  fc.assert(
    fc.property(yuan, within, (spent, calendar) => {
      const projected = projectMonth(spent, calendar) ?? Number.NaN;
      const share = (calendar.now - calendar.month_starts_at) / (calendar.month_ends_at - calendar.month_starts_at);
      expect(Math.abs(projected * share - spent)).toBeLessThanOrEqual(1e-9 + spent * 1e-12);
      expect(projected).toBeGreaterThanOrEqual(spent);
    }),
  );
});

test("nothing spent stays nothing, and a month that is over costs what was spent", () => {
  const calendar = { today: "2026-11-30", now: 2_000, month_starts_at: 1_000, month_ends_at: 2_000 };
  expect(projectMonth(0, calendar)).toBe(0);
  expect(projectMonth(12.5, calendar)).toBe(12.5);
  expect(projectMonth(12.5, { ...calendar, now: 2_100 })).toBe(12.5);
});

test("no pace is known on the first day, or before the month has begun", () => {
  const calendar = { today: "2026-11-01", now: 1_500, month_starts_at: 1_000, month_ends_at: 2_000 };
  expect(projectMonth(5, calendar)).toBeNull();
  expect(projectMonth(5, { ...calendar, today: "2026-11-02", now: 900 })).toBeNull();
});
