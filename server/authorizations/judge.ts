import { REFUSALS, type Refusal } from "../keys/schema";
import { CEILINGS, type Ceiling, isPrice, WINDOWS, type Window } from "../limits/schema";
import { amountOf, amountOrNull, type Units } from "../limits/units";
import type { CheckedLimit, CheckScope } from "./check/schema";

/** What a call would cost in yuan, and the prices of its model in yuan per million tokens; a price that is `null` is unknown. */
export interface Asked {
  amount: Units;
  input_price: Units | null;
  output_price: Units | null;
  /** The model has no price. */
  isModelUnknown: boolean;
  /** What the call would cost is unknown, and the amount says nothing. It is always so where the model has no price. */
  isAmountUnknown: boolean;
}

/** One window of a key: ever, today or this month. Exact amounts in yuan. */
export interface WindowUse {
  /** `null` is no limit. */
  limit: Units | null;
  spent: Units;
  held: Units;
}

/** What decides on a call of a key that exists and is not revoked. */
export interface KeyState {
  isAccountDisabled: boolean;
  isDisabled: boolean;
  isExpired: boolean;
  /** Yuan per million tokens; `null` is no ceiling. */
  ceilings: Record<Ceiling, Units | null>;
  /** How many authorizations are open, and how many may be at a time. */
  openHolds: { count: number; most: number };
  windows: Record<Window, WindowUse>;
  /** When the day and the month end, and the first open hold does, in whole seconds since 1970. `null`: no hold was open. */
  resetsAt: { daily_limit: number; monthly_limit: number; open_holds: number | null };
}

/** What is left of a window: limit − spent − held. `null` is no limit. It may be negative. */
export function leftOf({ limit, spent, held }: WindowUse): Units | null {
  return limit === null ? null : limit - spent - held;
}

/** What is left of each window of a key, in yuan; `null` is no limit. */
type Left = Record<Window, number | null>;

/** What a key has room for. */
export interface Room {
  left: Left;
  openHolds: KeyState["openHolds"];
}

/** What there is room for where there is no key. */
export const NO_ROOM: Room = {
  left: { budget: null, daily_limit: null, monthly_limit: null },
  openHolds: { count: 0, most: 0 },
};

/** What a key has room for, in yuan and in numbers of authorizations. */
export function roomOf({ windows, openHolds }: KeyState): Room {
  const left = (name: Window) => amountOrNull(leftOf(windows[name]));
  return {
    left: { budget: left("budget"), daily_limit: left("daily_limit"), monthly_limit: left("monthly_limit") },
    openHolds: { ...openHolds },
  };
}

type Obstacle = Exclude<Refusal, "key_not_found">;

/** The reasons that a key which exists can be refused for, in the order in which they are judged. */
const JUDGED = REFUSALS.filter((code): code is Obstacle => code !== "key_not_found");

/** Those that ask for room for a new hold. What is held already needs none. They are the last ones. */
const ROOM: readonly Obstacle[] = ["open_holds", ...WINDOWS];
const OF_KEY = JUDGED.filter((code) => !ROOM.includes(code));

/** The first reason to refuse a call that the key itself gives: its state, and its price ceilings. */
export function obstacleOfKey(key: KeyState, asked: Asked): Obstacle | undefined {
  return OF_KEY.find((code) => !passes(code, key, asked));
}

/** The first reason to refuse a new hold for which there is no room. It is judged after `obstacleOfKey`. */
export function obstacleOfRoom(key: KeyState, asked: Asked): Obstacle | undefined {
  return ROOM.find((code) => !passes(code, key, asked));
}

function passes(code: Obstacle, key: KeyState, asked: Asked): boolean {
  if (code === "account_disabled") return !key.isAccountDisabled;
  if (code === "key_disabled") return !key.isDisabled;
  if (code === "key_expired") return !key.isExpired;
  if (code === "unknown_model") return !asked.isModelUnknown;
  if (code === "open_holds") return key.openHolds.count < key.openHolds.most;
  if (isPrice(code)) {
    const ceiling = key.ceilings[code];
    const price = asked[CEILINGS[code]];
    // A ceiling refuses a price that is not known.
    return ceiling === null || (price !== null && price <= ceiling);
  }
  const left = leftOf(key.windows[code]);
  return left === null || (!asked.isAmountUnknown && asked.amount <= left);
}

/** Those that are no limit of the key: they stand in a check where they refuse the call. */
const BEYOND_KEY: readonly Obstacle[] = ["account_disabled", "unknown_model"];
const CHECKED = JUDGED.filter((code) => !BEYOND_KEY.includes(code));

/** Those that say whether the key itself is good. */
const OF_STATE: readonly Obstacle[] = ["account_disabled", "key_disabled", "key_expired"];

/** Whether a question asks for a limit. */
const isInScope: Record<CheckScope, (code: Obstacle) => boolean> = {
  call: () => true,
  left: (code) => OF_STATE.includes(code) || ROOM.includes(code),
  key: (code) => OF_STATE.includes(code),
};

/** The limits of a key that a question asks for, with their numbers and whether a call passes, in the order of judging. */
export function checkLimits(key: KeyState, asked: Asked, scope: CheckScope = "call"): CheckedLimit[] {
  // Written out without spreads, which cost more than the rest of a check.
  const isOfKey = !key.isAccountDisabled && !asked.isModelUnknown;
  const judged = isOfKey ? CHECKED : JUDGED.filter((code) => CHECKED.includes(code) || !passes(code, key, asked));
  return judged.filter(isInScope[scope]).map((code): CheckedLimit => {
    const isPassed = passes(code, key, asked);
    if (code === "account_disabled" || code === "key_disabled" || code === "key_expired" || code === "unknown_model") {
      return { code, passes: isPassed, limit: null, spent: null, held: null, available: null, needed: null };
    }
    if (code === "open_holds") {
      const { count, most } = key.openHolds;
      return {
        code,
        passes: isPassed,
        limit: most,
        spent: null,
        held: count,
        available: most - count,
        needed: count + 1,
      };
    }
    if (isPrice(code)) {
      const limit = amountOrNull(key.ceilings[code]);
      const needed = amountOrNull(asked[CEILINGS[code]]);
      return { code, passes: isPassed, limit, spent: null, held: null, available: null, needed };
    }
    const window = key.windows[code];
    return {
      code,
      passes: isPassed,
      limit: amountOrNull(window.limit),
      spent: amountOf(window.spent),
      held: amountOf(window.held),
      available: amountOrNull(leftOf(window)),
      needed: asked.isAmountUnknown ? null : amountOf(window.spent + window.held + asked.amount),
    };
  });
}
