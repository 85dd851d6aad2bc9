import { expect, test } from "vitest";
import { RateLimit } from "./rate-limit";

test("each name has its own count, which begins again after a minute", () => {
  let now = 0;
  const limit = new RateLimit(2, () => now);
  expect(limit.count("a")).toEqual({ limit: 2, remaining: 1, resetSeconds: 60, isExceeded: false });
  now = 29_001;
  expect(limit.count("c")).toMatchObject({ remaining: 1, resetSeconds: 31 });
  now = 59_001;
  expect(limit.count("a")).toEqual({ limit: 2, remaining: 0, resetSeconds: 1, isExceeded: false });
  expect(limit.count("a")).toEqual({ limit: 2, remaining: 0, resetSeconds: 1, isExceeded: true });
  expect(limit.count("b").isExceeded).toBe(false);
  now = 59_999;
  expect(limit.count("a")).toEqual({ limit: 2, remaining: 0, resetSeconds: 1, isExceeded: true });
  now = 60_000;
  expect(limit.count("a")).toEqual({ limit: 2, remaining: 1, resetSeconds: 60, isExceeded: false });
});

test("no window is longer than a minute, whenever it begins", () => {
  // The sum of this moment and a minute is rounded up.
  expect(new RateLimit(2, () => 9194.123187012732).count("a").resetSeconds).toBe(60);
});
