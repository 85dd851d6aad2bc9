import { initTRPC } from "@trpc/server";
import { type KnownSpender, SpenderRefused } from "./auth/known-spenders";
import type { Spender } from "./auth/spender";
import type { Context } from "./context";
import type { EndpointMeta } from "./endpoint";
import { errors } from "./errors/catalogue";
import type { Failure } from "./errors/failure";
import { failWith, publicError } from "./errors/public-error";

interface Meta extends EndpointMeta {
  /** Whether an operator's token for gateways is accepted like a default key. */
  takesGatewayToken?: boolean;
  /** Whether every valid key is accepted, and not the default key alone. */
  takesAnyKey?: boolean;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    errorFormatter({ shape, error }) {
      const { status, message, code, values, faults } = publicError(error);
      // The dashboard translates by the codes.
      const failure = { code, values, ...(faults && { faults }) };
      return { ...shape, message, data: { ...shape.data, httpStatus: status, failure } };
    },
  });

export const { router } = t;

/** A procedure for everyone. Its answer must not depend on any account. */
export const publicProcedure = t.procedure;

/** Recognises the caller, before any input is read. */
const recognizedProcedure = t.procedure.use(async ({ ctx, next }) => {
  const { accountId, actor, sessionId } = await requireManager(ctx);
  return next({ ctx: { accountId, actor, sessionId } });
});

/**
 * A procedure for an account, which its caller names with its default key or by being signed in
 * (docs/api.md#authentication). 401 without a valid key or session, 403 with another key of the account, both before any
 * input is read. Only so many calls of an account are under way at once; the others wait for their turn, and are 429 when it
 * does not come (docs/api.md#requests-at-once).
 */
export const accountProcedure = recognizedProcedure.use(async ({ ctx, type, next }) => {
  const leave = await ctx.accountTurns.enter(ctx.accountId, type);
  if (leave === undefined) throw failWith(errors.tooManyAtOnce());
  try {
    return await next();
  } finally {
    leave();
  }
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
 * Like `accountProcedure`, but not for a value of the default key in its time of grace: it gets 403, so that whoever has an
 * old value cannot take the account over (docs/api.md#rotate-a-key).
 */
export const rotatingProcedure = accountProcedure.use(async ({ ctx, next }) => {
  if ((await ctx.caller())?.isInGrace) throw failWith(errors.valueInGrace());
  return next();
});

/**
 * A procedure for those who may authorize spend: an account, for its own keys, as in `accountProcedure`; or a gateway of
 * the operator, for the keys of the accounts that it serves. `within` is the one or the other.
 *
 * Where the process knows the sender, the procedure runs at once, and the statements that decide prove the `sender`. Where none
 * does, or its credential is not valid any more, the sender is recognised afterwards, and that decides about the answer.
 */
export const spendProcedure = t.procedure.meta({ takesGatewayToken: true }).use(async ({ ctx, next }) => {
  const known = ctx.knownSpender();
  // Both calls of `next` must add the same to the context, by their types.
  const sender: KnownSpender | undefined = known;
  const early = known && (await next({ ctx: { within: known.credential.spender, sender } }));
  if (early && known.isProven) return early;
  const error = early?.ok === false ? early.error : undefined;
  // While the database is away or too busy, to ask it again would take as long once more.
  if (early && error && publicError(error).status === 503) return early;
  const within = await recognizeSpender(ctx);
  return early && !(error?.cause instanceof SpenderRefused) ? early : next({ ctx: { within, sender: undefined } });
});

async function recognizeSpender(ctx: Context): Promise<Spender> {
  return (await ctx.gateway()) ?? (await requireManager(ctx)).accountId;
}

/**
 * A procedure for whoever holds a valid key, about this key alone: `apikeyId` of `accountId`. 401 without one, also for a
 * browser that is signed in, because it holds no key. The holders of an account's keys wait for turns of their own.
 */
export const holderProcedure = t.procedure.meta({ takesAnyKey: true }).use(async ({ ctx, type, next }) => {
  const caller = await ctx.caller();
  if (caller?.actor.kind !== "rest") throw failWith(errors.invalidKey());
  const { accountId, actor } = caller;
  const leave = await ctx.accountTurns.enter(accountId, type, "holders");
  if (leave === undefined) throw failWith(errors.tooManyAtOnce());
  try {
    return await next({ ctx: { accountId, apikeyId: actor.name } });
  } finally {
    leave();
  }
});

/**
 * Like `accountProcedure`, for calls that share statements with those of other accounts: they wait for no turn. Every
 * internal failure, also while recognising the caller, becomes this one.
 */
export function batchedProcedureFailingWith(failure: Failure): typeof recognizedProcedure {
  const failing = t.procedure.use(async ({ next }) => {
    const result = await next();
    if (!result.ok && publicError(result.error).status >= 500) throw failWith(failure, result.error);
    return result;
  });
  return failing.concat(recognizedProcedure);
}
