import { expect, test } from "vitest";
import { latestChangeInput } from "@/server/history/schema";
import { secondsSince } from "./seconds-since";

const ago = (seconds: number) => secondsSince(performance.now() - seconds * 1000);

test("of a dialog that was open for days, no more is asked for than may be", () => {
  expect(ago(10)).toBeGreaterThanOrEqual(70);
  expect(latestChangeInput.safeParse({ action: "models.deleted", seconds: ago(3 * 86_400) }).success).toBe(true);
});
