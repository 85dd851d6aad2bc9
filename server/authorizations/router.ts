import { TRPCError } from "@trpc/server";
import { z } from "zod";
import type { AccountId } from "../auth/account-id";
import { accountForGateway } from "../auth/gateway";
import type { Database } from "../db/client";
import { CallRefused } from "../errors";
import { requestedPage } from "../input/page";
import { hashKeyValue, isKeyValue, KEY_ID_PATTERN } from "../keys/key-value";
import type { Refusal } from "../keys/schema";
import { formatAmount } from "../limits/amount";
import { accountProcedure, router, spendProcedure } from "../trpc";
import type { Settlement } from "./authorizer";
import { type CheckedKey, checkLimits } from "./check";
import { findCheckedKey, listOpen } from "./queries";
import {
  authorizationAnswer,
  authorizationList,
  authorizeInput,
  type CheckAnswer,
  captureInput,
  checkAnswer,
  checkHeaders,
  checkInput,
  listAuthorizationsInput,
  type SettledAnswer,
  settledAnswer,
  voidInput,
} from "./schema";
import { changeSentence, refusalSentence } from "./sentences";
import type { SettledAuthorization } from "./statements/find-authorization";

const TAGS = ["Authorizations"];
const BEARER = /^bearer +/i;
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
      const answer = await ctx.authorizer.authorize(
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
      if (answer.verdict === "replayed" && answer.replayedAmount !== amount) {
        throw new TRPCError({ code: "CONFLICT", message: "request_id: was used before, for another amount" });
      }
      const { verdict, key, left } = answer;
      const isAllowed = verdict === "granted" || verdict === "replayed";
      return {
        success: true as const,
        allowed: isAllowed,
        code: isAllowed ? null : verdict,
        message: isAllowed ? `Held ${formatAmount(amount)} yuan.` : refusalSentence(verdict, amount, left),
        authorization_id: isAllowed && key ? key.accountId + answer.authorizationId : null,
        apikey_id: key?.keyId ?? null,
        amount,
        expires_at: answer.expiresAt,
        available: { budget: left.budget, daily: left.daily_limit, monthly: left.monthly_limit },
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
      const { settled, isNew } = found(await ctx.authorizer.capture(accountId, { id, amount }));
      if (!isNew && (settled.state !== "captured" || settled.captured !== amount)) {
        const state = settled.state === "captured" ? "captured with another amount" : settled.state;
        throw new TRPCError({ code: "CONFLICT", message: `authorization_id: the authorization is ${state}` });
      }
      return answerOf(authorization_id, settled, `Captured ${formatAmount(amount)} yuan.`);
    }),

  /** Whether a call would pass now. Nothing is held; every limit is answered with its numbers. */
  check: spendProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/authorizations/check",
        summary: "Check whether a call would be authorized",
        description:
          "Answers every limit with its numbers, the first obstacle, and the smallest change that removes it. Holds nothing. The key is named by its value or, with the default key, by its `apikey_id`.",
        successDescription: "What would be answered now.",
        tags: TAGS,
      },
    })
    .input(checkInput)
    .output(checkAnswer)
    .mutation(({ ctx, input }) => answerCheck(ctx, input)),

  /** The same for a proxy that can send headers alone, and knows an answer by its status. */
  checkByHeaders: spendProcedure
    .meta({
      status: 204,
      openapi: {
        method: "GET",
        path: "/v1/authorizations/check",
        requestHeaders: checkHeaders,
        summary: "Check by headers whether a call would be authorized",
        description:
          "For a proxy that can send headers alone and knows an answer by its status, as nginx does with `auth_request`. Holds nothing. The gateway's own token or default key is in `Authorization`, the key of its caller in `Allowance-Key`.",
        tags: TAGS,
      },
    })
    .input(checkHeaders)
    .output(z.void())
    .query(async ({ ctx, input }) => {
      const { code, message } = await answerCheck(ctx, {
        apikey: (input["Allowance-Key"] ?? "").replace(BEARER, ""),
        amount: input["Allowance-Amount"],
        input_price: input["Allowance-Input-Price"],
        output_price: input["Allowance-Output-Price"],
      });
      if (code !== null) throw new CallRefused(isOfKey(code) ? "UNAUTHORIZED" : "FORBIDDEN", message, code);
    }),

  /** The open authorizations of one key, newest first; none for a key that does not exist. */
  list: accountProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/apikeys/{apikey_id}/authorizations",
        summary: "List open authorizations",
        description: "What is held on a key at this moment, newest first.",
        successDescription: "A page of open authorizations.",
        tags: TAGS,
      },
    })
    .input(listAuthorizationsInput)
    .output(authorizationList)
    .query(async ({ ctx, input }) => {
      const page = requestedPage(input);
      const found = await listOpen(ctx.db, ctx.accountId, input.apikey_id, page);
      return { object: "list" as const, ...found, page: page.page, page_size: page.pageSize };
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
      const { settled } = found(await ctx.authorizer.void(accountId, id));
      if (settled.state === "captured") {
        throw new TRPCError({ code: "CONFLICT", message: "authorization_id: the authorization is captured" });
      }
      return answerOf(input.authorization_id, settled, `The authorization is ${settled.state}; nothing is held.`);
    }),
});

async function answerCheck(
  ctx: { db: Database; within: AccountId | undefined },
  { apikey, apikey_id, amount, input_price, output_price }: z.infer<typeof checkInput>,
): Promise<CheckAnswer> {
  const call = { amount, inputPrice: input_price, outputPrice: output_price };
  const key = await checkedKey(ctx, { apikey, apikey_id }, call);
  if (!key) {
    const code = "key_not_found" as const;
    const message = refusalSentence(code, amount, { budget: null, daily_limit: null, monthly_limit: null });
    return { success: true, allowed: false, code, message, apikey_id: null, limits: [], change: null };
  }
  const limits = checkLimits(key);
  const obstacle = limits.find(({ passes }) => !passes);
  const left = {
    budget: key.budget.available,
    daily_limit: key.daily_limit.available,
    monthly_limit: key.monthly_limit.available,
  };
  return {
    success: true,
    allowed: obstacle === undefined,
    code: obstacle?.code ?? null,
    message: obstacle ? refusalSentence(obstacle.code, amount, left) : `${formatAmount(amount)} yuan would be allowed.`,
    apikey_id: key.apikey_id,
    limits,
    change: obstacle ? changeSentence(obstacle) : null,
  };
}

/** Whether a refusal says that the key itself is not good, whatever was asked for. */
function isOfKey(refusal: Refusal): boolean {
  return refusal === "key_not_found" || refusal === "key_disabled" || refusal === "key_expired";
}

/** The key that a check names. An id proves nothing, so it counts within the account of the caller only. */
async function checkedKey(
  { db, within }: { db: Database; within: AccountId | undefined },
  { apikey, apikey_id }: { apikey: string | undefined; apikey_id: string | undefined },
  call: Parameters<typeof findCheckedKey>[3],
): Promise<CheckedKey | undefined> {
  if (apikey !== undefined) {
    return isKeyValue(apikey) ? findCheckedKey(db, within, { hash: hashKeyValue(apikey) }, call) : undefined;
  }
  if (within === undefined || apikey_id === undefined || !KEY_ID_PATTERN.test(apikey_id)) return undefined;
  return findCheckedKey(db, within, { apikeyId: apikey_id }, call);
}

function answerOf(
  authorization_id: string,
  { state, captured, overrun, late }: SettledAuthorization,
  message: string,
): SettledAnswer {
  return { success: true, message, authorization_id, state, amount: captured, overrun, late };
}

/** An authorization's id is that of its account and its own: what leads to it is its account. */
function placeOf(authorizationId: string, within: AccountId | undefined): { accountId: AccountId; id: string } {
  const [, account = "", id = ""] = /^([0-9a-f]{24})([0-9a-f]{24})$/.exec(authorizationId) ?? [];
  if (id === "" || (within !== undefined && within !== account)) throw noSuchAuthorization();
  return { accountId: within ?? accountForGateway(account), id };
}

function found(settlement: Settlement): Extract<Settlement, { ok: true }> {
  if (!settlement.ok) throw noSuchAuthorization();
  return settlement;
}

function noSuchAuthorization(): TRPCError {
  return new TRPCError({ code: "NOT_FOUND", message: "authorization_id: the authorization does not exist" });
}
