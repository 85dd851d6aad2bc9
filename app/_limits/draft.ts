import { LIMIT_NAMES, type LimitName, type LimitPatch, type Limits, limitFields } from "@/server/limits/schema";

/** What is typed for each limit; null is off: no limit, or no expiry date. */
export type LimitDraft = Record<LimitName, string | null>;

/** What can be wrong with a typed limit; each has its words in the messages. */
export type LimitFault = "empty" | "notNumber" | "negative" | "tooLarge" | "tooSmall" | "notDate";

/** The five limits that are amounts: yuan, or yuan per million tokens. */
export type AmountName = Exclude<LimitName, "expiry_date">;

export const AMOUNT_NAMES = LIMIT_NAMES.filter((name): name is AmountName => name !== "expiry_date");

/** All six in the order in which they are shown: amounts, then the date. */
export const SHOWN_NAMES: LimitName[] = [...AMOUNT_NAMES, "expiry_date"];

/** Nothing is limited. */
export const EMPTY_DRAFT = Object.fromEntries(LIMIT_NAMES.map((name) => [name, null])) as LimitDraft;

/** The present limits of a key, to be edited. Unset and 0 both are no limit. */
export function draftOf(limits: Limits): LimitDraft {
  return Object.fromEntries(
    LIMIT_NAMES.map((name) => [name, limits[name] ? plainText(limits[name]) : null]),
  ) as LimitDraft;
}

/** What is wrong with each limit, by the server's own rules; empty when all is well. */
export function faultsOf(draft: LimitDraft): Partial<Record<LimitName, LimitFault>> {
  const faults = LIMIT_NAMES.map((name) => [name, faultOf(name, draft[name])] as const);
  return Object.fromEntries(faults.filter(([, fault]) => fault !== undefined));
}

/** What is wrong with one typed limit. Off is never wrong. */
export function faultOf(name: LimitName, text: string | null): LimitFault | undefined {
  if (text === null) return undefined;
  if (text.trim() === "") return "empty";
  if (name === "expiry_date") return limitFields.expiry_date.safeParse(text).success ? undefined : "notDate";
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

/** The amount that a text says in plain digits, with a point before the decimals; undefined when it says none. */
export function amountOf(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

/** The limits of a new key: what is off is not sent. */
export function patchOfNew(draft: LimitDraft): LimitPatch {
  return Object.fromEntries(
    LIMIT_NAMES.filter((name) => draft[name] !== null).map((name) => [name, valueOfDraft(name, draft)]),
  );
}

/**
 * The limits to send for a key that has `current`. Every amount is sent, the expiry date too, which an omission would
 * clear. An amount turned off is sent as 0, "no limit"; one that is unset and stays so is left out.
 */
export function patchOfEdit(draft: LimitDraft, current: Limits): LimitPatch {
  const patch: LimitPatch = patchOfNew(draft);
  for (const name of AMOUNT_NAMES) {
    if (draft[name] === null && current[name] !== null) patch[name] = 0;
  }
  // At least one limit has to be sent, even where the only change is that the expiry date goes.
  return Object.keys(patch).length > 0 ? patch : { budget: 0 };
}

/** The limits as they would stand: null and 0 are no limit. */
export function limitsOfDraft(draft: LimitDraft): Limits {
  return Object.fromEntries(
    LIMIT_NAMES.map((name) => [name, draft[name] === null ? null : valueOfDraft(name, draft)]),
  ) as Limits;
}

function valueOfDraft(name: LimitName, draft: LimitDraft): number | string {
  const text = draft[name] ?? "";
  return name === "expiry_date" ? text : (amountOf(text) ?? 0);
}

/** In digits, never as 1e21: what stands in a box must be what may be typed into it. */
function plainText(value: number | string): string {
  if (typeof value === "string") return value;
  return value < 1e-6 ? value.toFixed(9).replace(/0+$/, "") : String(value);
}
