import { decimalText } from "@/components/yuan";
import {
  CEILING_NAMES,
  type Ceiling,
  LIMIT_NAMES,
  type LimitName,
  type LimitPatch,
  type Limits,
  limitFields,
} from "@/server/limits/schema";

/** The typed text of each limit. `null` means that the limit is off: no limit, or no expiry date. */
export type LimitDraft = Record<LimitName, string | null>;

/** What can be wrong with a typed limit. Each has its sentence in the messages. */
export type LimitFault = "empty" | "notNumber" | "negative" | "tooLarge" | "tooSmall" | "notDate";

/** The five limits that are amounts, in yuan or in yuan per million tokens. */
export type AmountName = Exclude<LimitName, "expiry_date">;

export const AMOUNT_NAMES = LIMIT_NAMES.filter((name): name is AmountName => name !== "expiry_date");

/** All six limits in the order in which they are shown: the amounts, then the date. */
export const SHOWN_NAMES: LimitName[] = [...AMOUNT_NAMES, "expiry_date"];

/** Every limit is off. */
export const EMPTY_DRAFT = Object.fromEntries(LIMIT_NAMES.map((name) => [name, null])) as LimitDraft;

/** The present limits of a key, ready to be edited. `null` and 0 both mean no limit. */
export function draftOf(limits: Limits): LimitDraft {
  return Object.fromEntries(
    LIMIT_NAMES.map((name) => [name, limits[name] ? plainText(limits[name]) : null]),
  ) as LimitDraft;
}

/** What is wrong with each limit, by the server's own rules. The result is empty if nothing is wrong. */
export function faultsOf(draft: LimitDraft): Partial<Record<LimitName, LimitFault>> {
  const faults = LIMIT_NAMES.map((name) => [name, faultOf(name, draft[name])] as const);
  return Object.fromEntries(faults.filter(([, fault]) => fault !== undefined));
}

/** What is wrong with one typed limit. A limit that is off is never wrong. */
export function faultOf(name: LimitName, text: string | null): LimitFault | undefined {
  if (text === null) return undefined;
  if (name === "expiry_date") return limitFields.expiry_date.safeParse(text).success ? undefined : "notDate";
  if (text.trim() === "") return "empty";
  const parsed = limitFields[name].safeParse(amountOf(text));
  if (parsed.success) return undefined;
  switch (parsed.error.issues[0]?.code) {
    case "too_small":
      return "negative";
    case "too_big":
      return "tooLarge";
    case "custom":
      return "tooSmall";
    default:
      return "notNumber";
  }
}

/** The amount that a text contains, in plain digits with a decimal point; undefined if it contains something else. */
export function amountOf(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

/** The amount that is typed for a limit, as the server stores it: in nine decimals; undefined if the server would refuse it. */
export function storedAmount(name: AmountName, text: string | null): number | undefined {
  return limitFields[name].safeParse(amountOf(text ?? "")).data;
}

/** The limits of a new key. A limit that is off is not sent. */
export function patchOfNew(draft: LimitDraft): LimitPatch {
  return Object.fromEntries(
    LIMIT_NAMES.filter((name) => draft[name] !== null).map((name) => [name, valueOfDraft(name, draft)]),
  );
}

/**
 * The limits to send for a key with the limits `current`. The expiry date is always sent, because the API clears an omitted
 * one (docs/api.md#set-limits-of-a-key). An amount that was turned off is sent as 0. An amount that was unset and stays
 * unset is not sent.
 */
export function patchOfEdit(draft: LimitDraft, current: Limits): LimitPatch {
  const patch: LimitPatch = patchOfNew(draft);
  for (const name of AMOUNT_NAMES) {
    if (draft[name] === null && current[name] !== null) patch[name] = 0;
  }
  // The API requires at least one limit, even if only the expiry date is removed.
  return Object.keys(patch).length > 0 ? patch : { budget: 0 };
}

/** The limits that a key gets and has not yet, without those that are taken away. */
export function changedLimits(draft: LimitDraft, current: Limits): LimitPatch {
  const patch = patchOfNew(draft);
  return Object.fromEntries(
    LIMIT_NAMES.filter((name) => patch[name] && patch[name] !== current[name]).map((name) => [name, patch[name]]),
  );
}

/** The limits after the change. `null` and 0 mean no limit. */
export function limitsOfDraft(draft: LimitDraft): Limits {
  return Object.fromEntries(
    LIMIT_NAMES.map((name) => [name, draft[name] === null ? null : valueOfDraft(name, draft)]),
  ) as Limits;
}

/** The limits that differ. `null` and 0 both mean no limit. */
export function differingLimits(before: Limits, after: Limits): LimitName[] {
  return LIMIT_NAMES.filter((name) => (before[name] || null) !== (after[name] || null));
}

/** The price ceilings that are typed; undefined while one of them is no price. */
export function ceilingsOfDraft(draft: LimitDraft): Pick<Limits, Ceiling> | undefined {
  if (CEILING_NAMES.some((name) => faultOf(name, draft[name]) !== undefined)) return undefined;
  const { input_price_limit, output_price_limit } = limitsOfDraft(draft);
  return { input_price_limit, output_price_limit };
}

function valueOfDraft(name: LimitName, draft: LimitDraft): number | string {
  return name === "expiry_date" ? (draft[name] ?? "") : (storedAmount(name, draft[name]) ?? 0);
}

/** A field accepts only plain digits. */
function plainText(value: number | string): string {
  return typeof value === "string" ? value : decimalText(value);
}
