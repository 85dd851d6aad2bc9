import { expect, test } from "vitest";
import { describeError, prettyPrinter } from "./log";

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

test("a line for people: time, level, message and fields on one line; the stack of an error below", () => {
  const line = JSON.stringify({ level: 50, time: 0, pid: 1, hostname: "h", cause: "pooler", msg: "not ready" });
  const print = prettyPrinter(false);
  expect(print(line)).toMatch(/^\[\d\d:\d\d:00\.000\] ERROR: not ready \{"cause":"pooler"\}\n$/);
  const failed = JSON.stringify({ level: 50, time: 0, err: describeError(databaseError()), msg: "failed" });
  for (const part of ["ERROR: failed\n", "log.test.ts", "23502"]) expect(print(failed)).toContain(part);
});

test("nothing that a line for people quotes can begin a line or move the cursor", () => {
  const line = JSON.stringify({
    level: 30,
    time: 0,
    path: "/\u001b[2J\n[00:00:00.000] INFO: forged",
    msg: "a\r\nb\u0085",
  });
  const text = prettyPrinter(false)(line);
  expect(text.trimEnd().split("\n")).toHaveLength(1);
  expect(text).toContain("a\\u000d\\u000ab\\u0085");
  expect(text).not.toContain("\u001b");
});
