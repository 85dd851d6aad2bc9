import type { z } from "zod";
import type { KnownSpender } from "@/server/auth/known-spenders";
import type { Spender } from "@/server/auth/spender";
import { failWith } from "@/server/errors/public-error";
import { SMALLEST_AMOUNT } from "@/server/limits/amount";
import { amountOf } from "@/server/limits/units";
import { countCheck } from "@/server/metrics/authorizations";
import type { Authorizer, KeyNames } from "../authorizer";
import type { AskedNames } from "../call/schema";
import { checkLimits, obstacleOfKey } from "../judge";
import { modelCallOf, quoteFailure } from "../model-call";
import { detailsOf, NO_DETAILS } from "../refusal";
import { changeSentence, passSentence, refusalSentence } from "../sentences";
import type { CheckAnswer, CheckScope, checkInput } from "./schema";

/**
 * Whether a call would pass now, or the key is good, with every limit that is judged, the first obstacle and the smallest
 * change that removes it. See docs/api.md#check.
 * @param ctx with the account whose keys count, or the gateway that asks for the keys of those that it serves (`within`).
 * @param parameters how the request calls those of `asked`.
 * @returns the answer, and after how many seconds the obstacle is over by itself; undefined: it needs a change.
 */
export async function answerCheck(
  ctx: { authorizer: Authorizer; within: Spender; sender: KnownSpender | undefined },
  names: KeyNames,
  asked: CheckedCall,
  parameters: AskedNames,
): Promise<{ answer: CheckAnswer; retryAfter: number | undefined }> {
  const { scope = "call", amount, input_price: inputPrice, output_price: outputPrice } = asked;
  const key = await ctx.authorizer.check(
    names,
    scope === "call" && amount === undefined
      ? modelCallOf(asked)
      : { amount: amount ?? leastOf(scope), inputPrice, outputPrice },
    ctx.within,
    ctx.sender,
  );
  if (!key) {
    const code = "key_not_found" as const;
    countCheck(code);
    const refusal = NO_DETAILS;
    const message = refusalSentence(code, 0, { refusal });
    const answer = { success: true as const, allowed: false, code, message, apikey_id: null, limits: [], refusal };
    return { answer: { ...answer, change: null }, retryAfter: undefined };
  }
  // As `authorize` does: whoever asks about a key that is not good learns that first.
  if (key.fault && obstacleOfKey(key.state, key.asked) === undefined)
    throw failWith(quoteFailure(key.fault, parameters));
  const needed = amountOf(key.asked.amount);
  const limits = checkLimits(key.state, key.asked, scope);
  const obstacle = limits.find(({ passes }) => !passes);
  countCheck(obstacle?.code ?? "allowed");
  const refusal = obstacle ? detailsOf(obstacle.code, key.state, key.asked) : null;
  const resetsAt = refusal?.resets_at ?? null;
  return {
    answer: {
      success: true,
      allowed: obstacle === undefined,
      code: obstacle?.code ?? null,
      message: obstacle ? refusalSentence(obstacle.code, needed, { refusal }, scope) : passSentence(needed, scope),
      apikey_id: key.keyId,
      limits,
      refusal,
      change: obstacle ? changeSentence(obstacle, scope) : null,
    },
    retryAfter: resetsAt === null ? undefined : Math.max(1, resetsAt - key.now),
  };
}

type CheckedCall = Pick<
  z.infer<typeof checkInput>,
  "scope" | "amount" | "input_price" | "output_price" | "model" | "input_tokens" | "max_output_tokens"
>;

/** What is asked for where no amount is sent, in yuan. Where the smallest amount passes, something is left. */
function leastOf(scope: CheckScope): number {
  return scope === "left" ? SMALLEST_AMOUNT : 0;
}
