import type { z } from "zod";
import type { Spender } from "../auth/gateway";
import { KEY_ID_FORM } from "../input/key-id";
import { formatAmount } from "../limits/amount";
import { countCheck } from "../metrics/authorizations";
import type { Authorizer, CheckedKey, Cost } from "./authorizer";
import { checkLimits, NO_ROOM, roomOf } from "./judge";
import type { CheckAnswer, checkInput } from "./schema";
import { changeSentence, refusalSentence } from "./sentences";

/**
 * Whether a call would pass now, with every limit, the first obstacle and the smallest change that removes it. See
 * docs/api.md#check.
 * @param within the account whose keys count, or the gateway that asks for the keys of those that it serves.
 */
export async function answerCheck(
  ctx: { authorizer: Authorizer; within: Spender },
  {
    apikey,
    apikey_id: apikeyId,
    amount,
    input_price: inputPrice,
    output_price: outputPrice,
  }: z.infer<typeof checkInput>,
): Promise<CheckAnswer> {
  const key = await checkedKey(ctx, { apikey, apikeyId }, { amount, inputPrice, outputPrice });
  if (!key) {
    const code = "key_not_found" as const;
    countCheck(code);
    const message = refusalSentence(code, amount, NO_ROOM);
    return { success: true, allowed: false, code, message, apikey_id: null, limits: [], change: null };
  }
  const limits = checkLimits(key.state, key.asked);
  const obstacle = limits.find(({ passes }) => !passes);
  countCheck(obstacle?.code ?? "allowed");
  return {
    success: true,
    allowed: obstacle === undefined,
    code: obstacle?.code ?? null,
    message: obstacle
      ? refusalSentence(obstacle.code, amount, roomOf(key.state))
      : `${formatAmount(amount)} yuan would be allowed.`,
    apikey_id: key.keyId,
    limits,
    change: obstacle ? changeSentence(obstacle) : null,
  };
}

/** The key that a check names. An id proves nothing, so it counts within the account of the caller only. */
async function checkedKey(
  { authorizer, within }: { authorizer: Authorizer; within: Spender },
  { apikey, apikeyId }: { apikey: string | undefined; apikeyId: string | undefined },
  cost: Cost,
): Promise<CheckedKey | undefined> {
  if (apikey !== undefined) return authorizer.check(apikey, cost, within);
  if (typeof within !== "string" || apikeyId === undefined || !KEY_ID_FORM.test(apikeyId)) return undefined;
  return authorizer.checkById(apikeyId, cost, within);
}
