import type { Window } from "../limits/schema";

/** What a key is there to show. */
export type Fate =
  /** It has spent this share of one limit, which is its only one. Above 1, its last capture was an overrun. */
  | { kind: "limit"; window: Window; share: number }
  /** It expires within so many days. */
  | { kind: "expiring"; days: number }
  /** It asked for models above its ceilings. */
  | { kind: "priced" }
  /** It has open authorizations, and once had too many. */
  | { kind: "holding" }
  | { kind: "ordinary" };

const FATES: readonly Fate[] = [
  { kind: "limit", window: "daily_limit", share: 1 },
  { kind: "limit", window: "monthly_limit", share: 0.86 },
  { kind: "expiring", days: 3 },
  { kind: "limit", window: "budget", share: 1.02 },
  { kind: "holding" },
  { kind: "limit", window: "budget", share: 0.94 },
  { kind: "priced" },
  { kind: "limit", window: "monthly_limit", share: 1 },
  { kind: "limit", window: "daily_limit", share: 0.83 },
  { kind: "expiring", days: 6 },
  { kind: "limit", window: "budget", share: 1 },
  { kind: "limit", window: "monthly_limit", share: 0.97 },
  { kind: "holding" },
  { kind: "limit", window: "daily_limit", share: 1.04 },
  { kind: "limit", window: "budget", share: 0.81 },
  { kind: "priced" },
  { kind: "limit", window: "monthly_limit", share: 1.01 },
  { kind: "limit", window: "daily_limit", share: 0.91 },
];

/** One key of so many has a fate that is not ordinary. */
const ONE_OF = 8;

/** The fate of each key by its number, so that a few keys have one of each kind, and many keys have some of each. */
export function fateOf(place: number): Fate {
  const fate = place % ONE_OF === 2 ? FATES[Math.floor(place / ONE_OF) % FATES.length] : undefined;
  return fate ?? { kind: "ordinary" };
}
