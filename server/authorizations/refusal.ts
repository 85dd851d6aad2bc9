import type { Refusal } from "../keys/schema";
import { CEILINGS, isPrice, isWindow } from "../limits/schema";
import { amountOrNull, type Units } from "../limits/units";
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
  if (isPrice(code)) {
    const { price, ceiling } = refusedPrice(code, key, asked);
    return { ...NO_DETAILS, price: amountOrNull(price), ceiling: amountOrNull(ceiling) };
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

/** What a price ceiling refused, in yuan per million tokens. */
export interface RefusedPrice {
  /** `null`: unknown, or the reason is no ceiling. */
  price: Units | null;
  /** `null`: the reason is no ceiling. */
  ceiling: Units | null;
}

/** The price that is refused for a reason, and the ceiling. */
export function refusedPrice(code: Refusal, key: KeyState, asked: Asked): RefusedPrice {
  return isPrice(code) ? { price: asked[CEILINGS[code]], ceiling: key.ceilings[code] } : { price: null, ceiling: null };
}
