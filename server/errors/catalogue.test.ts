import { describe, expect, test } from "vitest";
import { errors } from "./catalogue";
import type { Failure } from "./failure";
import { requestErrors } from "./request-errors";

const makers = Object.values({ ...errors, ...requestErrors }) as ((...values: unknown[]) => Failure)[];
const failures = makers.map((make) => make("1", "2", "3"));

describe("every failure", () => {
  test("has a code of its own", () => {
    const codes = failures.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test("has its reason at the end of its sentence", () => {
    for (const { message, reason } of failures) expect(message.endsWith(reason)).toBe(true);
  });
});
