import { expect, test } from "vitest";
import { BackOff } from "./back-off";

test("the first end has no pause; each further one has a longer pause, up to 30 s", () => {
  const backOff = new BackOff();
  expect(Array.from({ length: 8 }, () => backOff.pauseAfter(500))).toEqual([
    0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
});

test("a worker that has lived for a minute is replaced at once again", () => {
  const backOff = new BackOff();
  for (const lived of [10, 10, 10]) backOff.pauseAfter(lived);
  expect([backOff.pauseAfter(60_000), backOff.pauseAfter(10)]).toEqual([0, 1_000]);
});
