import { expect, test } from "vitest";
import { describeError } from "./log";

/** An error as `pg` throws it, and as Prisma wraps it. */
function databaseError(): Error {
  const ofDriver = Object.assign(new Error("null value in a column"), {
    code: "23502",
    constraint: "never",
    detail: "Failing row contains (a secret).",
    where: "a secret",
    parameters: ["a secret"],
  });
  return Object.assign(new Error("outer"), {
    code: "P2010",
    clientVersion: "a secret",
    meta: { query: "a secret", driverAdapterError: ofDriver },
  });
}

test("an error of the database is logged with its cause, and without rows and parameters", () => {
  const described = describeError(databaseError());
  expect(described).toMatchObject({
    type: "Error",
    code: "P2010",
    message: "outer",
    stack: expect.stringContaining("log.test.ts"),
    cause: { code: "23502", constraint: "never", message: "null value in a column" },
  });
  expect(JSON.stringify(described)).not.toContain("a secret");
});

test("what is thrown and is no error is not quoted", () => {
  expect(describeError("a secret")).toEqual({ type: "string" });
});

test("errors that cause each other come to an end", () => {
  const error: Error & { cause?: unknown } = new Error("x");
  error.cause = error;
  expect(JSON.stringify(describeError(error)).match(/"message"/g)).toHaveLength(9);
});
