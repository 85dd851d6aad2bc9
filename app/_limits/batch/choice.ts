import { LIMIT_NAMES, type LimitName, type LimitPatch } from "@/server/limits/schema";
import { EMPTY_DRAFT, faultOf, type LimitDraft, type LimitFault, patchOfNew } from "../draft";

/** Which limits are to change, and to what. */
export interface LimitChoice {
  /** Only these change. */
  ticked: ReadonlySet<LimitName>;
  /** What is typed for each; null is "Unlimited". What is not ticked keeps its text for when it is ticked again. */
  draft: LimitDraft;
}

export const NO_CHOICE: LimitChoice = {
  ticked: new Set(),
  draft: Object.fromEntries(LIMIT_NAMES.map((name) => [name, ""])) as LimitDraft,
};

/** What is wrong with each ticked limit; empty when all is well. */
export function faultsOfChoice({ ticked, draft }: LimitChoice): Partial<Record<LimitName, LimitFault>> {
  const faults = [...ticked].map((name) => [name, faultOfChosen(name, draft[name])] as const);
  return Object.fromEntries(faults.filter(([, fault]) => fault !== undefined));
}

function faultOfChosen(name: LimitName, text: string | null): LimitFault | undefined {
  const fault = faultOf(name, text);
  return name === "expiry_date" && fault === "empty" ? "notDate" : fault;
}

/** What is sent: the ticked limits alone, "Unlimited" as 0. */
export function patchOfChoice({ ticked, draft }: LimitChoice): LimitPatch {
  const chosen = [...ticked].map((name) => [name, draft[name] ?? "0"]);
  return patchOfNew({ ...EMPTY_DRAFT, ...Object.fromEntries(chosen) });
}
