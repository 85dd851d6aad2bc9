import type { Refusal } from "../keys/schema";
import { CEILINGS, type Ceiling, isPrice, WINDOWS, type Window } from "../limits/schema";
import { amountOrNull } from "../limits/units";
import { type Asked, type KeyState, leftOf } from "./judge";
import type { RefusalDetails } from "./schema";

/** Where a reason has no numbers. */
export const NO_DETAILS: RefusalDetails = {
  limit: null,
  available: null,
  resets_at: null,
  price: null,
  ceiling: null,
};

/** The numbers of a reason to refuse a call of a key, and when it is over by itself. See docs/api.md#why-a-call-is-refused. */
export function detailsOf(code: Refusal, key: KeyState, asked: Asked): RefusalDetails {
  if (code === "open_holds") {
    const { count, most } = key.openHolds;
    return { ...NO_DETAILS, limit: most, available: most - count, resets_at: key.resetsAt.open_holds };
  }
  if (isCeiling(code)) {
    return { ...NO_DETAILS, price: amountOrNull(asked[CEILINGS[code]]), ceiling: amountOrNull(key.ceilings[code]) };
  }
  if (!isWindow(code)) return NO_DETAILS;
  const window = key.windows[code];
  // An amount above the whole limit does not fit into the next window either.
  const isEverAllowed = window.limit !== null && asked.amount <= window.limit;
  return {
    ...NO_DETAILS,
    limit: amountOrNull(window.limit),
    available: amountOrNull(leftOf(window)),
    resets_at: code === "budget" || !isEverAllowed ? null : key.resetsAt[code],
  };
}

function isCeiling(code: Refusal): code is Ceiling {
  return isPrice(code as Ceiling);
}

function isWindow(code: Refusal): code is Window {
  return WINDOWS.some((window) => window === code);
}
