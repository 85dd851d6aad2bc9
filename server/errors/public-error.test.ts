import { TRPCError } from "@trpc/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { DatabaseNotReady, isDatabaseUnavailable } from "../db/failure";
import { errors } from "./catalogue";
import { failWith, publicError } from "./public-error";

const internal = (cause: unknown) => new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause });
const withCode = (code: string, message = "x") => Object.assign(new Error(message), { code });

describe("publicError", () => {
  test("bad input is 400 and names each parameter", () => {
    const { error: cause } = z.object({ a: z.number({ error: "expected number" }) }).safeParse({});
    expect(publicError(new TRPCError({ code: "BAD_REQUEST", cause }))).toEqual({
      code: "invalid_input",
      status: 400,
      message: "a: expected number",
      values: {},
      faults: [{ parameter: "a", code: "wrong_type", values: { type: "number" } }],
    });
  });

  test("an answer that is not of its schema is 500 without a detail", () => {
    const { error: cause } = z.object({ a: z.number() }).safeParse({ a: "secret" });
    expect(publicError(internal(cause))).toMatchObject({ code: "internal_error", status: 500 });
  });

  test("what nobody foresaw is 500 without a detail", () => {
    const cause = withCode("42P01", 'relation "secret" does not exist: SELECT * FROM secret');
    const told = { code: "internal_error", status: 500, message: "internal error", values: {} };
    expect(publicError(internal(cause))).toEqual(told);
    expect(publicError(internal("sk-leak"))).toEqual(told);
  });

  test("a failure of the catalogue keeps its own words, whatever the cause", () => {
    expect(publicError(failWith(errors.keyNotCreated(), withCode("ECONNREFUSED")))).toEqual({
      code: "key_not_created",
      status: 500,
      message: "creation failed: the API key was not created because of an internal failure",
      values: {},
    });
  });

  test("a failure says its code, its sentence, and what is particular to it", () => {
    expect(publicError(failWith(errors.groupHasKeys(3)))).toEqual({
      code: "group_has_keys",
      status: 409,
      message: "ungroup_keys: must be true, because the group has 3 API keys",
      values: { count: 3 },
    });
  });

  test("an error of tRPC itself keeps its words", () => {
    expect(publicError(new TRPCError({ code: "NOT_FOUND", message: "no such procedure" }))).toEqual({
      status: 404,
      message: "no such procedure",
      values: {},
    });
  });
});

describe("isDatabaseUnavailable", () => {
  test.each([
    ["refused", withCode("ECONNREFUSED")],
    ["shutting down", withCode("57P01")],
    ["too many connections", withCode("53300")],
    ["a deadlock", withCode("40P01")],
    ["a statement that took too long", withCode("57014")],
    ["not migrated yet", new DatabaseNotReady()],
    ["no connection in time", new Error("timeout exceeded when trying to connect")],
    ["a connection that broke", new Error("Connection terminated unexpectedly")],
    ["Prisma's unreachable", withCode("P1001")],
    [
      "a SQLSTATE within Prisma's error",
      Object.assign(withCode("P2010"), { meta: { driverAdapterError: { cause: { originalCode: "40001" } } } }),
    ],
    [
      "a connection that Prisma's driver has lost",
      Object.assign(withCode("P2010"), { meta: { driverAdapterError: { cause: { kind: "ConnectionClosed" } } } }),
    ],
    ["the cause of a cause", new Error("outer", { cause: new Error("inner", { cause: withCode("ECONNRESET") }) })],
    [
      "every address of a host",
      Object.assign(new Error(), { errors: [withCode("ECONNREFUSED"), withCode("ECONNREFUSED")] }),
    ],
  ])("%s: yes", (_, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(publicError(internal(error)).status).toBe(503);
  });

  test.each([
    ["a violated constraint", withCode("23505")],
    ["a syntax error", withCode("42601")],
    ["Prisma's unique violation", withCode("P2002")],
    ["nothing", undefined],
    ["a text", "ECONNREFUSED"],
  ])("%s: no", (_, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  test("a cause that is its own cause ends", () => {
    const error = new Error("loop");
    error.cause = error;
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
