import { type LimitDraft, SHOWN_NAMES } from "@/app/_limits/draft";
import type { LimitName } from "@/server/limits/schema";

/**
 * The limits of a form after another group was chosen. A limit that still has the default of the group before gets that of
 * the new one; a limit that was typed stays.
 */
export function refilled(draft: LimitDraft, before: LimitDraft, after: LimitDraft): LimitDraft {
  const entries = SHOWN_NAMES.map((name) => [name, draft[name] === before[name] ? after[name] : draft[name]]);
  return Object.fromEntries(entries) as LimitDraft;
}

/** The limits of a form that it has from the defaults of the group. */
export function namesFromDefaults(draft: LimitDraft, defaults: LimitDraft): LimitName[] {
  return SHOWN_NAMES.filter((name) => defaults[name] !== null && draft[name] === defaults[name]);
}
