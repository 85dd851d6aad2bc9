import { expect, test } from "vitest";
import { withThousands } from "./thousands";

test.each([0, 7, 999, 1000, 10_000, 123_456, 1_000_000, 1_234_567_890])("%d is said as English says it", (value) => {
  expect(withThousands(value)).toBe(value.toLocaleString("en"));
});
