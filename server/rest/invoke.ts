import { type AnyProcedure, getTRPCErrorFromUnknown, TRPCError, type TRPCProcedureType } from "@trpc/server";
import type { ZodType } from "zod";
import type { Context } from "../context";

/**
 * Calls one procedure, whose guards add to `ctx` what they find out. `readInput` is called when the guards let the caller
 * through, where the procedure has an input. It may return a promise. Where the caller was let through as the one that it was a
 * moment ago, it may be called a second time (`spendProcedure`).
 * @throws {TRPCError} as tRPC does.
 */
export type Invoke = (ctx: Context, readInput: () => unknown) => Promise<unknown>;

/** What a step of a procedure says of the steps after it. */
type Result = { ok: true; data: unknown } | { ok: false; error: TRPCError };

type Step = (ctx: object, readInput: () => unknown) => Promise<Result>;

/** What tRPC keeps of a procedure. */
interface Definition {
  type: TRPCProcedureType;
  middlewares: Middleware[];
  inputs: ZodType[];
  output?: ZodType;
  resolver(call: { ctx: object; input: unknown }): Promise<unknown>;
}

interface Middleware {
  (call: { ctx: object; type: TRPCProcedureType; next(more?: { ctx?: object }): Promise<Result> }): Promise<Result>;
  /** tRPC's mark of the middlewares that check the input or the answer. */
  _type?: "input" | "output";
}

/**
 * Prepares the call of a procedure. tRPC does the same at each call, in a chain of middlewares that copies its options at
 * every link, and parses asynchronously, which zod does more slowly. See docs/decisions/direct-invocation.md.
 */
export function prepareInvoke(procedure: AnyProcedure): Invoke {
  const { type, middlewares, inputs, output, resolver } = procedure._def as unknown as Definition;
  const [schema, ...more] = inputs;
  // The last one calls the resolver.
  const own = middlewares.slice(0, -1);
  const guards = own.filter(({ _type }) => _type === undefined);
  if (more.length > 0 || own.slice(0, guards.length).some(({ _type }) => _type !== undefined)) {
    throw new Error("a procedure has its guards first, and then at most one input");
  }

  const finish: Step = async (ctx, readInput) => {
    try {
      let given = schema && readInput();
      if (given instanceof Promise) given = await given;
      const input = schema && parse(schema, given, "BAD_REQUEST");
      // It may be large, and the work may wait for long.
      given = undefined;
      const answer = await resolver({ ctx, input });
      return { ok: true, data: output ? parse(output, answer, "INTERNAL_SERVER_ERROR") : answer };
    } catch (cause) {
      return failed(cause);
    }
  };
  const begin = guards.reduceRight<Step>(
    (next, guard) => (ctx, readInput) => {
      try {
        // The context belongs to one request. A copy of it takes longer than all else here: docs/decisions/direct-invocation.md.
        const nextWith = (more?: { ctx?: object }) => next(Object.assign(ctx, more?.ctx), readInput);
        return guard({ ctx, type, next: nextWith }).catch(failed);
      } catch (cause) {
        return Promise.resolve(failed(cause));
      }
    },
    finish,
  );

  return (ctx, readInput) => begin(ctx, readInput).then(dataOf);
}

function dataOf(result: Result): unknown {
  if (!result.ok) throw result.error;
  return result.data;
}

function parse(schema: ZodType, value: unknown, code: TRPCError["code"]): unknown {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw new TRPCError({ code, cause: error });
  return data;
}

function failed(cause: unknown): Result {
  return { ok: false, error: getTRPCErrorFromUnknown(cause) };
}
