import { REFUSALS } from "../keys/schema";
import type { Ceiling, Window } from "../limits/schema";
import type { CheckedLimit } from "./schema";

/** What the database says of a key and a call. Amounts in yuan, prices in yuan per million tokens. */
export interface CheckedKey extends Record<Ceiling | Window, Omit<CheckedLimit, "code">> {
  apikey_id: string;
  is_enabled: boolean;
  is_in_time: boolean;
}

const NO_NUMBERS = { limit: null, spent: null, held: null, available: null, needed: null };

/** Every limit of a key with whether a call would pass it, in the order in which an authorization judges them. */
export function checkLimits(key: CheckedKey): CheckedLimit[] {
  return REFUSALS.flatMap((code): CheckedLimit[] => {
    switch (code) {
      case "key_not_found":
        return [];
      case "key_disabled":
        return [{ code, passes: key.is_enabled, ...NO_NUMBERS }];
      case "key_expired":
        return [{ code, passes: key.is_in_time, ...NO_NUMBERS }];
      default:
        return [{ code, ...key[code] }];
    }
  });
}
