import { z } from "zod";
import type { AccountId } from "../auth/account-id";
import { accountServedBy, type Spender } from "../auth/spender";
import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import { pageAnswer, requestedPage } from "../input/page";
import type { Refusal } from "../keys/schema";
import { formatAmount } from "../limits/amount";
import { countAuthorization, countSettlement } from "../metrics/authorizations";
import { pricesAnswer, type TokenUsage } from "../prices/cost";
import { accountProcedure, router, spendProcedure } from "../trpc";
import { listActivity } from "./activity/queries";
import { activityList, listActivityInput } from "./activity/schema";
import type { KeyNames, Settlement } from "./authorizer";
import { IN_BODY, IN_HEADERS, type keyNames } from "./call/schema";
import { answerCheck } from "./check/answer";
import { checkAnswer, checkHeaders, checkInput } from "./check/schema";
import type { HoldOutcome, SettledAuthorization } from "./decide";
import { authorizationEndpoints } from "./endpoints";
import { modelCallOf, quoteFailure } from "./model-call";
import { listOpen } from "./queries";
import { isSameCall, isSameUsage, type ModelCall, storedUsage, usageOf } from "./quote";
import {
  authorizationAnswer,
  authorizationList,
  authorizeInput,
  captureInput,
  listAuthorizationsInput,
  type SettledAnswer,
  settledAnswer,
  voidInput,
} from "./schema";
import { refusalSentence } from "./sentences";

const BEARER = /^bearer +/i;

export const authorizationsRouter = router({
  /** Holds an amount on a key before a call, or says why not: a refusal is an answer, not an error. */
  authorize: spendProcedure
    .meta(authorizationEndpoints.authorize)
    .input(authorizeInput)
    .output(authorizationAnswer)
    .mutation(async ({ ctx, input }) => {
      const { input_price: inputPrice, output_price: outputPrice } = input;
      const { request_id: requestId, ttl_seconds: ttlSeconds } = input;
      const modelCall = input.amount === undefined ? modelCallOf(input) : undefined;
      const cost = modelCall ?? { amount: input.amount ?? 0, inputPrice, outputPrice };
      const call = Object.assign(namesOf(input, ctx.within), { requestId, ttlSeconds }, cost);
      const answer = await ctx.authorizer.authorize(call, ctx.within, ctx.sender);
      const { verdict, key, left, quote } = answer;
      const amount = answer.amount ?? input.amount ?? null;
      const isReused = verdict === "replayed" && !isReplayOf(answer, modelCall, input.amount);
      if (verdict === "max_output_tokens_unknown" || verdict === "cost_too_large") {
        throw failWith(quoteFailure(verdict, IN_BODY));
      }
      countAuthorization(verdict === "used" || isReused ? "conflict" : verdict === "granted" ? "allowed" : verdict);
      if (verdict === "used") throw failWith(errors.requestIdUsed(answer.usedState ?? ""));
      if (isReused) throw failWith(errors.requestIdReused());
      const isAllowed = verdict === "granted" || verdict === "replayed";
      return {
        success: true as const,
        allowed: isAllowed,
        code: isAllowed ? null : verdict,
        message: isAllowed ? `Held ${formatAmount(amount ?? 0)} yuan.` : refusalSentence(verdict, amount ?? 0, answer),
        authorization_id: isAllowed && key ? key.accountId + answer.authorizationId : null,
        apikey_id: key?.keyId ?? null,
        amount,
        model: quote?.model ?? input.model ?? null,
        prices: quote ? pricesAnswer(quote.prices) : null,
        expires_at: answer.expiresAt,
        available: { budget: left.budget, daily: left.daily_limit, monthly: left.monthly_limit },
        refusal: answer.refusal,
        ...(verdict === "replayed" && { replayed: true as const }),
      };
    }),

  /** Counts what a call cost, and ends its hold. The same capture twice counts once. */
  capture: spendProcedure
    .meta(authorizationEndpoints.capture)
    .input(captureInput)
    .output(settledAnswer)
    .mutation(async ({ ctx, input }) => {
      const { authorization_id: authorizationId, amount } = input;
      const usage = input.usage && usageOf(input.usage);
      const { accountId, id } = placeOf(authorizationId, ctx.within, "capture");
      const settlement = await ctx.authorizer.capture(
        accountId,
        usage ? { id, usage } : { id, amount: amount ?? 0 },
        ctx.sender,
      );
      const isRepeated = settlement.ok && isCaptureOf(settlement.settled, usage, amount);
      countSettlement("capture", outcomeOf(settlement, isRepeated));
      const { settled, isNew } = found(settlement);
      if (!isNew && !isRepeated) {
        const other = usage ? "captured with another usage" : "captured with another amount";
        const state = settled.state === "captured" ? other : settled.state;
        throw failWith(errors.authorizationSettled(state));
      }
      return answerOf(authorizationId, settled, `Captured ${formatAmount(settled.captured ?? 0)} yuan.`);
    }),

  /** Whether a call would pass now. Nothing is held; every limit is answered with its numbers. */
  check: spendProcedure
    .meta(authorizationEndpoints.check)
    .input(checkInput)
    .output(checkAnswer)
    .mutation(async ({ ctx, input }) => (await answerCheck(ctx, namesOf(input, ctx.within), input, IN_BODY)).answer),

  /** The same for a proxy that can send headers alone, and knows an answer by its status. */
  checkByHeaders: spendProcedure
    .meta(authorizationEndpoints.checkByHeaders)
    .input(checkHeaders)
    .output(z.void())
    .query(async ({ ctx, input }) => {
      const apikeyHash = input["Allowance-Key-Hash"];
      const names =
        apikeyHash === undefined ? { apikey: (input["Allowance-Key"] ?? "").replace(BEARER, "") } : { apikeyHash };
      const asked = {
        scope: input["Allowance-Scope"],
        amount: input["Allowance-Amount"],
        input_price: input["Allowance-Input-Price"],
        output_price: input["Allowance-Output-Price"],
        model: input["Allowance-Model"],
        input_tokens: input["Allowance-Input-Tokens"],
        max_output_tokens: input["Allowance-Max-Output-Tokens"],
      };
      const { answer, retryAfter } = await answerCheck(ctx, names, asked, IN_HEADERS);
      const { code, message, refusal } = answer;
      if (code === null) return;
      throw failWith(errors.callRefused(OF_KEY.includes(code) ? 401 : 403, code, message, refusal, retryAfter));
    }),

  /** The calls of one key that are over, newest first; none for a key that does not exist. */
  activity: accountProcedure
    .meta(authorizationEndpoints.activity)
    .input(listActivityInput)
    .output(activityList)
    .query(async ({ ctx, input }) => {
      const { apikey_id: apikeyId, kind, after } = input;
      const days = ctx.activityRetentionDays;
      const { pageSize } = requestedPage(input);
      const found = await ctx.read((db) => listActivity(db, ctx.accountId, apikeyId, { kind, after, days, pageSize }));
      return { object: "list" as const, ...found, retention_days: days };
    }),

  /** The open authorizations of one key, newest first; none for a key that does not exist. */
  list: accountProcedure
    .meta(authorizationEndpoints.list)
    .input(listAuthorizationsInput)
    .output(authorizationList)
    .query(async ({ ctx, input }) => {
      const page = requestedPage(input);
      const found = await ctx.read((db) => listOpen(db, ctx.accountId, input.apikey_id, page));
      return { ...pageAnswer(found, page), max_open_holds: ctx.authorizer.rules.maxOpenHolds };
    }),

  /** Ends the hold of a call that was not made. */
  void: spendProcedure
    .meta(authorizationEndpoints.void)
    .input(voidInput)
    .output(settledAnswer)
    .mutation(async ({ ctx, input }) => {
      const { accountId, id } = placeOf(input.authorization_id, ctx.within, "void");
      const settlement = await ctx.authorizer.void(accountId, id, ctx.sender);
      countSettlement("void", outcomeOf(settlement, settlement.ok && settlement.settled.state !== "captured"));
      const { settled } = found(settlement);
      if (settled.state === "captured") {
        throw failWith(errors.authorizationSettled(settled.state));
      }
      return answerOf(input.authorization_id, settled, `The authorization is ${settled.state}; nothing is held.`);
    }),
});

/**
 * How a call names its key. An account names its own keys by their id alone; a gateway serves several accounts, and an id is
 * unique in one.
 */
function namesOf({ apikey, apikey_hash, apikey_id, account_id }: z.infer<typeof keyNames>, within: Spender): KeyNames {
  if (apikey_id !== undefined && account_id === undefined && typeof within !== "string") {
    throw failWith(errors.accountNotNamed());
  }
  return { apikey, apikeyHash: apikey_hash, apikeyId: apikey_id, accountId: account_id };
}

/** The refusals that say that the key itself is not good, whatever was asked for. */
const OF_KEY: readonly Refusal[] = ["key_not_found", "account_disabled", "key_disabled", "key_expired"];

/** Whether a replayed authorization was asked for as this call asks: by the same model and tokens, or the same amount. */
function isReplayOf(
  { replayedAmount, replayedQuote }: Pick<HoldOutcome, "replayedAmount" | "replayedQuote">,
  modelCall: ModelCall | undefined,
  amount: number | undefined,
): boolean {
  if (modelCall) return replayedQuote !== null && isSameCall(replayedQuote.call, modelCall);
  return replayedQuote === null && replayedAmount === amount;
}

/** Whether an authorization has been captured as this call asks: with the same tokens, or the same amount. */
function isCaptureOf(
  settled: SettledAuthorization,
  usage: TokenUsage | undefined,
  amount: number | undefined,
): boolean {
  return usage ? settled.usage !== null && isSameUsage(settled.usage, usage) : settled.captured === amount;
}

function answerOf(
  authorizationId: string,
  { state, captured, overrun, late, quote, usage }: SettledAuthorization,
  message: string,
): SettledAnswer {
  return {
    success: true,
    message,
    authorization_id: authorizationId,
    state,
    amount: captured,
    usage: usage && storedUsage(usage),
    prices: quote && pricesAnswer(quote.prices),
    overrun,
    late,
  };
}

/**
 * Splits the id of an authorization: 24 characters of its account, then 24 of its own. One of another form, or of an account that
 * the spender has nothing to do with, is counted and answered like one that does not exist.
 */
function placeOf(
  authorizationId: string,
  within: Spender,
  kind: "capture" | "void",
): { accountId: AccountId; id: string } {
  const [, account = "", id = ""] = /^([0-9a-f]{24})([0-9a-f]{24})$/.exec(authorizationId) ?? [];
  const accountId = accountServedBy(within, account);
  if (id === "" || accountId === undefined) {
    countSettlement(kind, "not_found");
    throw failWith(errors.noSuchAuthorization());
  }
  return { accountId, id };
}

/** What a failed settlement is counted as. */
const OUTCOMES: Readonly<Record<string, Parameters<typeof countSettlement>[1]>> = {
  authorization_not_found: "not_found",
  capture_too_large: "too_large",
  cost_too_large: "too_large",
};

/** @param isSame whether the authorization is settled as the call has asked for. */
function outcomeOf(settlement: Settlement, isSame: boolean): Parameters<typeof countSettlement>[1] {
  if (!settlement.ok) return OUTCOMES[settlement.reason.code] ?? "conflict";
  if (settlement.isNew) return "done";
  return isSame ? "repeated" : "conflict";
}

function found(settlement: Settlement): Extract<Settlement, { ok: true }> {
  if (!settlement.ok) throw failWith(settlement.reason);
  return settlement;
}
