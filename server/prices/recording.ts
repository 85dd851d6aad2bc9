import type { AccountId } from "../auth/account-id";
import type { Action } from "../history/action";
import type { Actor } from "../history/actor";
import { recordEvent } from "../history/recording";
import type { Recording } from "./change-queries";

/** Notes a change of an account's prices in its history. */
export function recordOfAccount(accountId: AccountId, actor: Actor, action: Action): Recording {
  return (transaction, changes) => {
    const [first] = changes;
    const model = changes.length === 1 && first ? { model: first.name } : {};
    return recordEvent(transaction, accountId, actor, { action, after: { price_count: changes.length, ...model } });
  };
}
