import { initTRPC, TRPCError } from "@trpc/server";
import type { OpenApiMeta } from "trpc-to-openapi";
import type { AccountId } from "./auth/account-id";
import type { Context } from "./context";
import { OperationFailed, publicError } from "./errors";

interface Meta extends OpenApiMeta {
  /** That of success over REST, where it is not 200. */
  status?: 201 | 204;
  /** Whether an operator's token for gateways is as good as a default key. */
  takesGatewayToken?: boolean;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    errorFormatter({ shape, error }) {
      const { status, message } = publicError(error);
      return { ...shape, message, data: { ...shape.data, httpStatus: status } };
    },
  });

export const { router } = t;

/** A procedure for whoever asks. What it answers says nothing of any account. */
export const publicProcedure = t.procedure;

/**
 * A procedure for the account whose default key the caller holds (contract, section 5), or which is signed in. 401
 * without a valid key or session, 403 with another key of the account, both before any input is read.
 */
export const accountProcedure = t.procedure.use(async ({ ctx, next }) => {
  const { accountId, actor, sessionId } = await requireManager(ctx);
  return next({ ctx: { accountId, actor, sessionId } });
});

async function requireManager(ctx: Context): Promise<NonNullable<Awaited<ReturnType<Context["caller"]>>>> {
  const caller = await ctx.caller();
  if (caller === undefined) {
    throw new TRPCError({ code: "UNAUTHORIZED", message: "API key missing or invalid" });
  }
  if (!caller.mayManage) {
    throw new TRPCError({
      code: "FORBIDDEN",
      message: "only the default API key of the account may perform this operation",
    });
  }
  return caller;
}

/** Like `accountProcedure`, but for a browser that is signed in alone: what a default key must not reach. */
export const sessionProcedure = accountProcedure.use(({ ctx, next }) => {
  const { sessionId } = ctx;
  if (sessionId === undefined) {
    throw new TRPCError({ code: "FORBIDDEN", message: "only a browser that is signed in may perform this operation" });
  }
  return next({ ctx: { sessionId } });
});

/**
 * A procedure for whoever may have spend authorized: an account, for its own keys, as in `accountProcedure`; or a gateway
 * of the operator, for every account's. `within` is the account whose keys count; undefined is every account.
 */
export const spendProcedure = t.procedure.meta({ takesGatewayToken: true }).use(async ({ ctx, next }) => {
  const within: AccountId | undefined = ctx.isGateway() ? undefined : (await requireManager(ctx)).accountId;
  return next({ ctx: { within } });
});

/** Like `accountProcedure`, but any failure inside, recognising the caller included, is 500 with these words. */
export function accountProcedureFailingWith(message: string): typeof accountProcedure {
  const worded = t.procedure.use(async ({ next }) => {
    const result = await next();
    if (!result.ok && publicError(result.error).status >= 500) throw new OperationFailed(message, result.error);
    return result;
  });
  return worded.concat(accountProcedure);
}
