import { initTRPC } from "@trpc/server";
import type { AccountId } from "./auth/account-id";
import type { Context } from "./context";
import type { EndpointMeta } from "./endpoint";
import { errors } from "./errors/catalogue";
import type { Failure } from "./errors/failure";
import { failWith, publicError } from "./errors/public-error";

interface Meta extends EndpointMeta {
  /** Whether an operator's token for gateways is accepted like a default key. */
  takesGatewayToken?: boolean;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    errorFormatter({ shape, error }) {
      const { status, message, code, values } = publicError(error);
      // The dashboard translates by the code.
      return { ...shape, message, data: { ...shape.data, httpStatus: status, failure: { code, values } } };
    },
  });

export const { router } = t;

/** A procedure for everyone. Its answer must not depend on any account. */
export const publicProcedure = t.procedure;

/**
 * A procedure for an account, which its caller names with its default key or by being signed in
 * (docs/api.md#authentication). 401 without a valid key or session, 403 with another key of the account, both before any
 * input is read.
 */
export const accountProcedure = t.procedure.use(async ({ ctx, next }) => {
  const { accountId, actor, sessionId } = await requireManager(ctx);
  return next({ ctx: { accountId, actor, sessionId } });
});

async function requireManager(ctx: Context): Promise<NonNullable<Awaited<ReturnType<Context["caller"]>>>> {
  const caller = await ctx.caller();
  if (caller === undefined) {
    throw failWith(errors.invalidKey());
  }
  if (!caller.mayManage) {
    throw failWith(errors.notDefaultKey());
  }
  return caller;
}

/** Like `accountProcedure`, but only for a browser that is signed in. A default key gets 403. */
export const sessionProcedure = accountProcedure.use(({ ctx, next }) => {
  const { sessionId } = ctx;
  if (sessionId === undefined) {
    throw failWith(errors.notSignedIn());
  }
  return next({ ctx: { sessionId } });
});

/**
 * A procedure for those who may authorize spend: an account, for its own keys, as in `accountProcedure`; or a gateway of
 * the operator, for the keys of every account. `within` is the account whose keys count; `undefined` means every account.
 */
export const spendProcedure = t.procedure.meta({ takesGatewayToken: true }).use(({ ctx, next }) => {
  const actWithin = (within: AccountId | undefined) => next({ ctx: { within } });
  return ctx.isGateway() ? actWithin(undefined) : requireManager(ctx).then(({ accountId }) => actWithin(accountId));
});

/** Like `accountProcedure`, but every internal failure, also while recognising the caller, becomes this one. */
export function accountProcedureFailingWith(failure: Failure): typeof accountProcedure {
  const failing = t.procedure.use(async ({ next }) => {
    const result = await next();
    if (!result.ok && publicError(result.error).status >= 500) throw failWith(failure, result.error);
    return result;
  });
  return failing.concat(accountProcedure);
}
