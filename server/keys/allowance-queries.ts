import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { runOnPool } from "../db/pipeline";
import { type KeyAllowance, READ_ALLOWANCE } from "./statements/read-allowance";

/** What a key may spend now; undefined where there is no such key. */
export async function findAllowance(
  { listPool }: Database,
  accountId: AccountId,
  apikeyId: string,
): Promise<KeyAllowance | undefined> {
  const [found] = await runOnPool(listPool, READ_ALLOWANCE, [accountId, apikeyId]);
  return found;
}
