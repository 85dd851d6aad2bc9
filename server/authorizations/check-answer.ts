import type { z } from "zod";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { hashKeyValue, isKeyValue, KEY_ID_PATTERN } from "../keys/key-value";
import { formatAmount } from "../limits/amount";
import { type CheckedKey, checkLimits } from "./check";
import { findCheckedKey } from "./queries";
import type { CheckAnswer, checkInput } from "./schema";
import { changeSentence, refusalSentence } from "./sentences";

/**
 * Whether a call would pass now, with every limit, the first obstacle and the smallest change that removes it. See
 * docs/api.md#check.
 * @param within the account whose keys count. Undefined: the keys of every account, for a gateway of the operator.
 */
export async function answerCheck(
  ctx: { db: Database; within: AccountId | undefined },
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

/** The key that a check names. An id proves nothing, so it counts within the account of the caller only. */
async function checkedKey(
  { db, within }: { db: Database; within: AccountId | undefined },
  { apikey, apikeyId }: { apikey: string | undefined; apikeyId: string | undefined },
  call: Parameters<typeof findCheckedKey>[3],
): Promise<CheckedKey | undefined> {
  if (apikey !== undefined) {
    return isKeyValue(apikey) ? findCheckedKey(db, within, { hash: hashKeyValue(apikey) }, call) : undefined;
  }
  if (within === undefined || apikeyId === undefined || !KEY_ID_PATTERN.test(apikeyId)) return undefined;
  return findCheckedKey(db, within, { apikeyId }, call);
}
