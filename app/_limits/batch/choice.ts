import {
  type AmountName,
  CEILING_NAMES,
  type Ceiling,
  LIMIT_NAMES,
  type LimitName,
  type LimitPatch,
  type Limits,
} from "@/server/limits/schema";
import {
  amountOf,
  ceilingsOfDraft,
  draftOf,
  EMPTY_DRAFT,
  faultOf,
  type LimitDraft,
  type LimitFault,
  patchOfNew,
} from "../draft";

/** How a typed number changes an amount: the new amount itself, or a change of what each key has. */
export const WAYS = ["set", "raise", "lower", "multiply", "atLeast", "atMost"] as const;

export type Way = (typeof WAYS)[number];

/** Which limits will change, and to what. */
export interface LimitChoice {
  /** Only these change. */
  ticked: ReadonlySet<LimitName>;
  /** How each of the amounts changes. */
  ways: Record<LimitName, Way>;
  /** The typed text of each limit; `null` means "Unlimited". A limit that is unchecked keeps its text. */
  draft: LimitDraft;
}

export const NO_CHOICE: LimitChoice = {
  ticked: new Set(),
  ways: Object.fromEntries(LIMIT_NAMES.map((name) => [name, "set"])) as Record<LimitName, Way>,
  draft: Object.fromEntries(LIMIT_NAMES.map((name) => [name, ""])) as LimitDraft,
};

/** Ticks each limit that is set, with its value. 0 becomes "Unlimited". */
export function choiceOf(limits: Limits): LimitChoice {
  const set = LIMIT_NAMES.filter((name) => limits[name] !== null);
  const values = draftOf(limits);
  return {
    ...NO_CHOICE,
    ticked: new Set(set),
    draft: { ...NO_CHOICE.draft, ...Object.fromEntries(set.map((name) => [name, values[name]])) },
  };
}

/**
 * The price ceilings that each key would get; undefined where none of them is set to a value of its own.
 * @returns `ceilings` undefined while one of them is no price; `isAtMost` where the other one stays as it is on each key.
 */
export function ceilingsOfChoice({
  ticked,
  ways,
  draft,
}: LimitChoice): { ceilings: Pick<Limits, Ceiling> | undefined; isAtMost: boolean } | undefined {
  const set = CEILING_NAMES.filter((name) => ticked.has(name) && ways[name] === "set");
  if (set.length === 0) return undefined;
  const typed = Object.fromEntries(set.map((name) => [name, draft[name]]));
  return { ceilings: ceilingsOfDraft({ ...EMPTY_DRAFT, ...typed }), isAtMost: set.length < CEILING_NAMES.length };
}

/** What can be wrong with a choice. The last three are of percentages, factors and bounds. */
export type ChoiceFault = LimitFault | "notPercent" | "notFactor" | "notPositive";

/** The largest factor that the API takes. */
const MAX_FACTOR = 1e6;

/** What is wrong with each checked limit. The result is empty if nothing is wrong. */
export function faultsOfChoice({ ticked, ways, draft }: LimitChoice): Partial<Record<LimitName, ChoiceFault>> {
  const faults = [...ticked].map((name) => [name, faultOfChosen(name, ways[name], draft[name])] as const);
  return Object.fromEntries(faults.filter(([, fault]) => fault !== undefined));
}

function faultOfChosen(name: LimitName, way: Way, text: string | null): ChoiceFault | undefined {
  if (way === "set") return faultOf(name, text);
  if (text === null || text.trim() === "") return "empty";
  const number = amountOf(text);
  if (number === undefined) return "notNumber";
  switch (way) {
    case "raise":
      return number > 0 && factorOf(way, text) <= MAX_FACTOR ? undefined : "notPercent";
    case "lower":
      // 100 % less would be 0, which means no limit.
      return number > 0 && factorOf(way, text) > 0 ? undefined : "notPercent";
    case "multiply":
      return number > 0 && number <= MAX_FACTOR ? undefined : "notFactor";
    default:
      return faultOf(name, text) ?? (number === 0 ? "notPositive" : undefined);
  }
}

/** The limits to send, the changes from what each key has among them. */
export type BatchPatch = LimitPatch & {
  change?: Partial<Record<AmountName, { multiply: number } | { at_least: number } | { at_most: number }>>;
};

/** The limits to send: only the checked ones, with 0 for "Unlimited". */
export function patchOfChoice({ ticked, ways, draft }: LimitChoice): BatchPatch {
  const set = [...ticked].filter((name) => ways[name] === "set").map((name) => [name, draft[name] ?? "0"]);
  const changed = [...ticked]
    .filter((name) => ways[name] !== "set")
    .map((name) => [name, changeOf(ways[name], draft[name] ?? "")]);
  return {
    ...patchOfNew({ ...EMPTY_DRAFT, ...Object.fromEntries(set) }),
    ...(changed.length > 0 && { change: Object.fromEntries(changed) }),
  };
}

function changeOf(way: Way, text: string) {
  switch (way) {
    case "atLeast":
      return { at_least: amountOf(text) ?? 0 };
    case "atMost":
      return { at_most: amountOf(text) ?? 0 };
    default:
      return { multiply: factorOf(way, text) };
  }
}

/**
 * The factor of a typed percentage or factor; 0 while it is no number. Percentages are computed in whole numbers: 1 + 0.1 / 100
 * is not 1.001.
 */
function factorOf(way: Way, text: string): number {
  const number = amountOf(text);
  if (way === "multiply" || number === undefined) return number ?? 0;
  const [whole = "", fraction = ""] = text.trim().split(".");
  const hundred = 10n ** BigInt(fraction.length + 2);
  const part = BigInt(whole + fraction);
  return Number(`${way === "raise" ? hundred + part : hundred - part}e-${fraction.length + 2}`);
}
