import { type AnyProcedure, TRPCError } from "@trpc/server";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { AccountTurns } from "../account-turns";
import { KnownSpender, SpenderRefused } from "../auth/known-spenders";
import type { Gateway, Spender } from "../auth/spender";
import type { Context } from "../context";
import { DatabaseNotReady } from "../db/failure";
import { errors } from "../errors/catalogue";
import { failWith, publicError } from "../errors/public-error";
import { accountProcedure, batchedProcedureFailingWith, publicProcedure, router, spendProcedure } from "../trpc";
import { prepareInvoke } from "./invoke";

const input = z.object({ count: z.number().max(9).default(2), name: z.string().overwrite((name) => name.trim()) });
const output = z.object({ told: z.string() });

const OWNER = {
  accountId: "0123456789abcdef01234567",
  mayManage: true,
  actor: { kind: "rest", name: "sk-", address: null },
};

function contextOf(caller: () => unknown, gateway?: Gateway, spender?: Spender): Context {
  const accountTurns = new AccountTurns(1);
  const credential = spender && { hash: Buffer.of(), spender, key: undefined };
  const context = {
    keyPrefix: "sk-",
    accountTurns,
    caller: async () => caller(),
    gateway: vi.fn(async () => gateway),
    knownSpender: () => credential && new KnownSpender(credential, { onValid() {}, onInvalid() {} }),
  };
  return context as unknown as Context;
}

// Each call has a context of its own, as each request has.
const owner = () => contextOf(() => OWNER);
const EU: Gateway = { name: "eu-1", accountIds: undefined };
const gateway = () => contextOf(() => undefined, EU);
/** Its token was valid a moment ago, and still is. */
const knownGateway = () => contextOf(() => undefined, EU, { ...EU, name: "eu-1, known" });
/** Its token was valid a moment ago, and is not any more. */
const endedGateway = () => contextOf(() => undefined, undefined, EU);
const stranger = () => contextOf(() => undefined);
const employee = () => contextOf(() => ({ ...OWNER, mayManage: false }));
const databaseAway = () =>
  contextOf(() => {
    throw new DatabaseNotReady();
  });

/** The answer of a call; of one that failed, what its caller is told. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { answer: await call };
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    return publicError(error);
  }
}

const tell = accountProcedure.input(input).output(output);
const PROCEDURES: Record<string, AnyProcedure> = {
  "an answer with more than its schema": tell.query(({ ctx, input: { count, name } }) => ({
    told: `${count} ${name} ${ctx.accountId} ${ctx.keyPrefix}`,
    more: "than the schema has",
  })),
  "an answer that is not of its schema": tell.query(() => ({ told: 1 as never })),
  "a failure of the catalogue": tell.query(() => {
    throw failWith(errors.noSuchGroup());
  }),
  "an error that nobody foresaw": tell.query(() => {
    throw new Error("secret");
  }),
  "no input": accountProcedure.output(output).query(({ ctx }) => ({ told: ctx.actor.kind })),
  "no answer": accountProcedure.output(z.void()).query(() => {}),
  "neither account nor schemas": publicProcedure.query(({ ctx }) => ctx.keyPrefix),
  "a query, as its guards see it": publicProcedure
    .use(({ type, next }) => next({ ctx: { keyPrefix: type } }))
    .query(({ ctx }) => ctx.keyPrefix),
  "a gateway": spendProcedure.input(input).query(({ ctx: { within } }) => within),
  "a gateway that is proved": spendProcedure.input(input).query(({ ctx: { within, sender } }) => {
    sender?.prove();
    return within;
  }),
  "a gateway that is refused": spendProcedure.input(input).query(({ ctx: { within, sender } }) => {
    if (sender) throw new SpenderRefused("ended");
    return within;
  }),
  "a failure of its own": batchedProcedureFailingWith(errors.keyNotCreated())
    .input(input)
    .query(() => {
      throw new Error("secret");
    }),
};
const INPUTS = [{ name: " n " }, { name: "n", count: 10 }, { name: 5, count: "1" }, null, "text"];

describe("an invocation has the outcome of a call through tRPC", () => {
  test.each(Object.entries(PROCEDURES))("%s", async (_, procedure) => {
    const invoke = prepareInvoke(procedure);
    for (const newContext of [owner, gateway, knownGateway, endedGateway, stranger, employee, databaseAway]) {
      for (const sent of INPUTS) {
        const caller = router({ procedure }).createCaller(newContext());
        const called = caller.procedure as (sent: unknown) => Promise<unknown>;
        expect(await outcomeOf(invoke(newContext(), async () => sent))).toEqual(await outcomeOf(called(sent)));
      }
    }
  });
});

test("the input of a stranger is not read", async () => {
  let isRead = false;
  const read = async () => {
    isRead = true;
    return { name: "n" };
  };
  const invoke = prepareInvoke(tell.query(({ input: { name } }) => ({ told: name })));
  await expect(invoke(stranger(), read)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  await expect(invoke(employee(), read)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(isRead).toBe(false);
  expect(await invoke(owner(), read)).toEqual({ told: "n" });
  expect(isRead).toBe(true);
});

describe("a spender that is known is recognised anew, unless a decision proves it", () => {
  const invoke = (name: string) => prepareInvoke(PROCEDURES[name] as AnyProcedure);
  const read = () => ({ name: "n" });

  test.each([
    ["a gateway", "eu-1, known", 1],
    ["a gateway that is proved", "eu-1, known", 0],
    ["a gateway that is refused", "eu-1", 1],
  ])("%s", async (procedure, name, timesRecognised) => {
    const context = knownGateway();
    expect(await invoke(procedure)(context, read)).toMatchObject({ name });
    expect(context.gateway).toHaveBeenCalledTimes(timesRecognised);
  });

  test("while the database is away, it is asked once", async () => {
    const context = knownGateway();
    const failing = spendProcedure.input(input).query(() => {
      throw Object.assign(new Error("away"), { code: "ECONNREFUSED" });
    });
    await expect(prepareInvoke(failing)(context, read)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
    expect(context.gateway).not.toHaveBeenCalled();
  });

  test("one whose credential has ended is told nothing of its input", async () => {
    const unauthorized = { code: "UNAUTHORIZED" };
    for (const name of ["a gateway", "a gateway that is refused"]) {
      await expect(invoke(name)(endedGateway(), read)).rejects.toMatchObject(unauthorized);
      await expect(invoke(name)(endedGateway(), () => ({ name: 5 }))).rejects.toMatchObject(unauthorized);
    }
  });
});

test("an input that cannot be read fails with its own error", async () => {
  const invoke = prepareInvoke(tell.query(({ input: { name } }) => ({ told: name })));
  const failure = failWith(errors.invalidInput("body: ended"));
  await expect(invoke(owner(), () => Promise.reject(failure))).rejects.toBe(failure);
});

test("a procedure with another order of steps is refused", () => {
  const late = publicProcedure.input(input).use(({ next }) => next());
  expect(() => prepareInvoke(late.query(() => 1))).toThrow("its guards first");
  const twice = publicProcedure.input(input).input(z.object({ more: z.string() }));
  expect(() => prepareInvoke(twice.query(() => 1))).toThrow("at most one input");
});
