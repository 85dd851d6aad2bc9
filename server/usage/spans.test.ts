import fc from "fast-check";
import { expect, test } from "vitest";
import { SPAN_DAYS, spansOf } from "./spans";

const DAY_MS = 86_400_000;
const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);
const daysFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => dayText(first + n));

// Before 1970 too: a range may begin in the year 1000.
const ranges = fc.record({
  first: fc.integer({ min: -354_285, max: 60_000 }),
  count: fc.integer({ min: 1, max: 366 }),
});

test("the spans of a range have each of its days once, in order", () => {
  fc.assert(
    fc.property(ranges, ({ first, count }) => {
      const spans = spansOf({ from: dayText(first), to: dayText(first + count - 1) });
      const days = spans.flatMap((span) => daysFrom(Date.parse(span.first) / DAY_MS, span.days));
      expect(days).toEqual(daysFrom(first, count));
    }),
  );
});

test("a span begins at a multiple of its length", () => {
  fc.assert(
    fc.property(ranges, ({ first, count }) => {
      for (const span of spansOf({ from: dayText(first), to: dayText(first + count - 1) })) {
        expect(SPAN_DAYS).toContain(span.days);
        expect(Math.abs((Date.parse(span.first) / DAY_MS) % span.days)).toBe(0);
      }
    }),
  );
});

test("each day is in the longest span that has room in the range", () => {
  fc.assert(
    fc.property(ranges, ({ first, count }) => {
      const last = first + count - 1;
      const spanOf = (day: number) => {
        const begin = (days: number) => Math.floor(day / days) * days;
        const days = SPAN_DAYS.find((days) => begin(days) >= first && begin(days) + days - 1 <= last) ?? 1;
        return { days, first: dayText(begin(days)) };
      };
      const spans = spansOf({ from: dayText(first), to: dayText(last) });
      expect(spans.flatMap((span) => Array(span.days).fill(span))).toEqual(
        Array.from({ length: count }, (_, n) => spanOf(first + n)),
      );
    }),
  );
});

test("90 days have at most 19 spans", () => {
  for (let first = 20_000; first < 20_025; first++) {
    expect(spansOf({ from: dayText(first), to: dayText(first + 89) }).length).toBeLessThanOrEqual(19);
  }
});
