import { expect, test } from "vitest";
import { failedExport } from "./failure";

test.each([
  ["UNAUTHORIZED", 401, "sign in first\n", null],
  ["TOO_MANY_REQUESTS", 429, "too many requests at once; try again later\n", "1"],
  ["INTERNAL_SERVER_ERROR", 503, "it cannot be read\n", null],
])("%s is %i", async (code, status, text, retryAfter) => {
  const answer = failedExport({ code }, "it cannot be read");
  expect([answer.status, await answer.text(), answer.headers.get("retry-after")]).toEqual([status, text, retryAfter]);
});
