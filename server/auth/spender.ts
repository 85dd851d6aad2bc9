import type { AccountId } from "./account-id";

/** A gateway of the operator. It authorizes spend on the keys of the accounts that it serves. */
export interface Gateway {
  name: string;
  /** Undefined: every account. */
  accountIds: ReadonlySet<string> | undefined;
}

/** Who authorizes spend: an account, on its own keys; or a gateway, on the keys of the accounts that it serves. */
export type Spender = AccountId | Gateway;

/** The account of an id, where the spender may spend of its keys. A gateway's key value or authorization names the id. */
export function accountServedBy(spender: Spender, accountId: string): AccountId | undefined {
  const isServed = typeof spender === "string" ? spender === accountId : (spender.accountIds?.has(accountId) ?? true);
  return isServed ? (accountId as AccountId) : undefined;
}

/** The name of the gateway that authorizes spend; `null` for an account. */
export function gatewayName(spender: Spender): string | null {
  return typeof spender === "string" ? null : spender.name;
}
