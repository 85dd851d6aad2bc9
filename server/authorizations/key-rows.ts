import { CEILING_NAMES } from "../limits/schema";
import { unitsOfDecimal, unitsOrNull } from "../limits/units";
import type { PricesState } from "../prices/statements/read-prices";
import type { LockedKey, StoredAuthorization } from "./decide";
import type { KeyState, WindowUse } from "./judge";
import { quoteOf, usageOf } from "./quote";
import type { AuthorizationRow } from "./statements/read-authorizations";
import type { KeyRow } from "./statements/read-keys";

/** The rules for all keys that an operator sets. */
export interface SpendRules {
  /** How many authorizations of one key may be open at a time. */
  maxOpenHolds: number;
  /** A capture may be at most so many times its hold. Undefined: any amount. */
  maxCaptureFactor?: number | undefined;
}

/** A key as the decisions and the checks read it. */
export function lockedKey(row: KeyRow, rules: SpendRules, prices?: PricesState): LockedKey {
  // The spread comes last: what follows a first one is added slowly (docs/decisions/direct-invocation.md).
  return {
    isRevoked: row.is_revoked,
    values: row.value_hashes?.split(" ") ?? [],
    day: row.day,
    month: row.month,
    now: row.now,
    prices,
    ...keyState(row, rules),
  };
}

/** The state of a key as the rules read it. */
function keyState(row: KeyRow, { maxOpenHolds }: SpendRules): KeyState {
  const ceilings = {} as KeyState["ceilings"];
  for (const name of CEILING_NAMES) ceilings[name] = unitsOrNull(row[name]);
  return {
    isAccountDisabled: row.is_account_disabled,
    isDisabled: row.is_disabled,
    isExpired: row.is_expired,
    ceilings,
    openHolds: { count: row.open_holds, most: maxOpenHolds },
    windows: {
      budget: windowOf(row.budget_limit, row.budget_spent, row.budget_held),
      daily_limit: windowOf(row.daily_limit_limit, row.daily_limit_spent, row.daily_limit_held),
      monthly_limit: windowOf(row.monthly_limit_limit, row.monthly_limit_spent, row.monthly_limit_held),
    },
    resetsAt: { daily_limit: row.day_resets_at, monthly_limit: row.month_resets_at, open_holds: row.hold_ends_at },
  };
}

function windowOf(limit: string | null, spent: string | null, held: string | null): WindowUse {
  return { limit: unitsOrNull(limit), spent: unitsOfDecimal(spent ?? "0"), held: unitsOfDecimal(held ?? "0") };
}

/** An authorization as the decisions read it. */
export function authorizationOf(row: AuthorizationRow): StoredAuthorization {
  const { id, state, day, month, expires_at: expiresAt, is_over: isOver, overrun, late, quote, usage } = row;
  const captured = unitsOrNull(row.captured);
  return {
    id,
    amount: unitsOfDecimal(row.amount),
    state,
    day,
    month,
    expiresAt,
    isOver,
    captured,
    overrun,
    late,
    quote: quote && quoteOf(quote),
    usage: usage && usageOf(usage),
  };
}
