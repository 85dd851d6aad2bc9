import { TRPCError } from "@trpc/server";
import type { AccountId } from "../auth/account-id";
import { accountForGateway } from "../auth/gateway";
import { formatAmount } from "../limits/amount";
import { router, spendProcedure } from "../trpc";
import type { Answer, Settlement } from "./desk";
import {
  type Available,
  authorizationAnswer,
  authorizeInput,
  captureInput,
  type SettledAnswer,
  settledAnswer,
  voidInput,
} from "./schema";
import { refusalSentence } from "./words";

const TAGS = ["Authorizations"];
const NO_SUCH_AUTHORIZATION = "The authorization does not exist.";

export const authorizationsRouter = router({
  /** Holds an amount on a key before a call, or says why not: a refusal is an answer, not an error. */
  authorize: spendProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/authorizations",
        summary: "Authorize spend",
        description:
          "Holds an amount on a key, before the call that will cost it. A refusal is an answer with `allowed: false`. Takes the default key, for the keys of its account, or a gateway's token, for every account's.",
        successDescription: "The call may be made, or may not.",
        errorResponses: { 409: "`request_id` was used before on this key, for another amount." },
        tags: TAGS,
      },
    })
    .input(authorizeInput)
    .output(authorizationAnswer)
    .mutation(async ({ ctx, input }) => {
      const { apikey, amount, input_price, output_price, request_id, ttl_seconds } = input;
      const answer = await ctx.desk.authorize(
        {
          apikey,
          amount,
          inputPrice: input_price,
          outputPrice: output_price,
          requestId: request_id,
          ttlSeconds: ttl_seconds,
        },
        ctx.within,
      );
      if (answer.verdict === "known" && answer.known_amount !== amount) {
        throw new TRPCError({ code: "CONFLICT", message: "request_id: was used before, for another amount" });
      }
      const available = { budget: answer.budget_left, daily: answer.day_left, monthly: answer.month_left };
      const allowed = answer.verdict === "granted" || answer.verdict === "known";
      return {
        success: true as const,
        allowed,
        ...wordsOf(answer, amount, available),
        authorization_id: allowed && answer.owner ? answer.owner.accountId + answer.authorization_id : null,
        apikey_id: answer.owner?.keyId ?? null,
        amount,
        expires_at: answer.expires_at,
        available,
      };
    }),

  /** Counts what a call cost, and ends its hold. The same capture twice counts once. */
  capture: spendProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/authorizations/{authorization_id}/capture",
        summary: "Capture an authorization",
        description:
          "Counts what the call cost, and ends the hold. The same capture again counts once. More than was held is recorded whole, as an overrun; after the hold has ended by itself it is recorded as late.",
        successDescription: "The amount is counted.",
        errorResponses: {
          404: NO_SUCH_AUTHORIZATION,
          409: "The authorization was voided, or captured with another amount.",
        },
        tags: TAGS,
      },
    })
    .input(captureInput)
    .output(settledAnswer)
    .mutation(async ({ ctx, input }) => {
      const { authorization_id, amount } = input;
      const { accountId, id } = placeOf(authorization_id, ctx.within);
      const { settled, isNew } = found(await ctx.desk.capture(accountId, { id, amount }));
      if (!isNew && (settled.state !== "captured" || settled.captured !== amount)) {
        const state = settled.state === "captured" ? "captured with another amount" : settled.state;
        throw new TRPCError({ code: "CONFLICT", message: `authorization_id: the authorization is ${state}` });
      }
      return answerOf(authorization_id, settled, `Captured ${formatAmount(amount)} yuan.`);
    }),

  /** Ends a hold that nothing came of. */
  void: spendProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/authorizations/{authorization_id}/void",
        summary: "Void an authorization",
        description:
          "Ends the hold: the call was not made. Voiding again, or after the hold has ended by itself, is no error.",
        successDescription: "Nothing is held any more.",
        errorResponses: { 404: NO_SUCH_AUTHORIZATION, 409: "The authorization was captured." },
        tags: TAGS,
      },
    })
    .input(voidInput)
    .output(settledAnswer)
    .mutation(async ({ ctx, input }) => {
      const { accountId, id } = placeOf(input.authorization_id, ctx.within);
      const { settled } = found(await ctx.desk.void(accountId, id));
      if (settled.state === "captured") {
        throw new TRPCError({ code: "CONFLICT", message: "authorization_id: the authorization is captured" });
      }
      return answerOf(input.authorization_id, settled, `The authorization is ${settled.state}; nothing is held.`);
    }),
});

function wordsOf(
  { verdict }: Answer,
  amount: number,
  available: Available,
): { code: Exclude<Answer["verdict"], "granted" | "known"> | null; message: string } {
  return verdict === "granted" || verdict === "known"
    ? { code: null, message: `Held ${formatAmount(amount)} yuan.` }
    : { code: verdict, message: refusalSentence(verdict, amount, available) };
}

function answerOf(
  authorization_id: string,
  {
    state,
    captured,
    overrun,
    late,
  }: { state: SettledAnswer["state"]; captured: number | null; overrun: boolean; late: boolean },
  message: string,
) {
  return { success: true as const, message, authorization_id, state, amount: captured, overrun, late };
}

/** An authorization's id is that of its account and its own: what leads to it is its account. */
function placeOf(authorizationId: string, within: AccountId | undefined): { accountId: AccountId; id: string } {
  const [, account = "", id = ""] = /^([0-9a-f]{24})([0-9a-f]{24})$/.exec(authorizationId) ?? [];
  if (id === "" || (within !== undefined && within !== account)) throw noSuchAuthorization();
  return { accountId: within ?? accountForGateway(account), id };
}

function found(settlement: Settlement): NonNullable<Settlement> {
  if (!settlement) throw noSuchAuthorization();
  return settlement;
}

function noSuchAuthorization(): TRPCError {
  return new TRPCError({ code: "NOT_FOUND", message: "authorization_id: the authorization does not exist" });
}
