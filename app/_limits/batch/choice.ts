import { LIMIT_NAMES, type LimitName, type LimitPatch, type Limits } from "@/server/limits/schema";
import { draftOf, EMPTY_DRAFT, faultOf, type LimitDraft, type LimitFault, patchOfNew } from "../draft";

/** Which limits will change, and to what. */
export interface LimitChoice {
  /** Only these change. */
  ticked: ReadonlySet<LimitName>;
  /** The typed text of each limit; `null` means "Unlimited". A limit that is unchecked keeps its text. */
  draft: LimitDraft;
}

export const NO_CHOICE: LimitChoice = {
  ticked: new Set(),
  draft: Object.fromEntries(LIMIT_NAMES.map((name) => [name, ""])) as LimitDraft,
};

/** Ticks each limit that is set, with its value. 0 becomes "Unlimited". */
export function choiceOf(limits: Limits): LimitChoice {
  const set = LIMIT_NAMES.filter((name) => limits[name] !== null);
  const values = draftOf(limits);
  return {
    ticked: new Set(set),
    draft: { ...NO_CHOICE.draft, ...Object.fromEntries(set.map((name) => [name, values[name]])) },
  };
}

/** What is wrong with each checked limit. The result is empty if nothing is wrong. */
export function faultsOfChoice({ ticked, draft }: LimitChoice): Partial<Record<LimitName, LimitFault>> {
  const faults = [...ticked].map((name) => [name, faultOfChosen(name, draft[name])] as const);
  return Object.fromEntries(faults.filter(([, fault]) => fault !== undefined));
}

function faultOfChosen(name: LimitName, text: string | null): LimitFault | undefined {
  const fault = faultOf(name, text);
  return name === "expiry_date" && fault === "empty" ? "notDate" : fault;
}

/** The limits to send: only the checked ones, with 0 for "Unlimited". */
export function patchOfChoice({ ticked, draft }: LimitChoice): LimitPatch {
  const chosen = [...ticked].map((name) => [name, draft[name] ?? "0"]);
  return patchOfNew({ ...EMPTY_DRAFT, ...Object.fromEntries(chosen) });
}
