import { REFUSALS, type Refusal } from "../keys/schema";
import type { Window } from "../limits/schema";
import type { CheckedLimit } from "./schema";

/** Prices of the model that would be called, in yuan per million tokens. */
export interface Prices {
  input: number | undefined;
  output: number | undefined;
}

/** A limit of spend, with what is spent and held of it. `needed` is the smallest limit that lets the amount pass. */
interface CheckedWindow {
  limit: number | null;
  spent: number;
  held: number;
  available: number | null;
  needed: number;
  passes: boolean;
}

interface CheckedCeiling {
  limit: number | null;
  passes: boolean;
}

/** What the database says of a key and a call. Amounts in yuan, prices in yuan per million tokens. */
export interface CheckedKey extends Record<Window, CheckedWindow> {
  apikey_id: string;
  is_enabled: boolean;
  is_in_time: boolean;
  input_price_limit: CheckedCeiling;
  output_price_limit: CheckedCeiling;
}

const NO_NUMBERS = { limit: null, spent: null, held: null, available: null, needed: null };

/** Every limit of a key with whether a call would pass it, in the order in which an authorization looks at them. */
export function checkLimits(key: CheckedKey, prices: Prices): CheckedLimit[] {
  return REFUSALS.flatMap((code) => (code === "key_not_found" ? [] : [{ code, ...checkLimit(code, key, prices) }]));
}

function checkLimit(
  code: Exclude<Refusal, "key_not_found">,
  key: CheckedKey,
  prices: Prices,
): Omit<CheckedLimit, "code"> {
  switch (code) {
    case "key_disabled":
      return { passes: key.is_enabled, ...NO_NUMBERS };
    case "key_expired":
      return { passes: key.is_in_time, ...NO_NUMBERS };
    case "input_price_limit":
      return { ...NO_NUMBERS, ...key[code], needed: prices.input ?? null };
    case "output_price_limit":
      return { ...NO_NUMBERS, ...key[code], needed: prices.output ?? null };
    default:
      return key[code];
  }
}
