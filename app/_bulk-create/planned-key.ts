import { EMPTY_DRAFT, faultsOf, type LimitDraft, type LimitFault, patchOfNew } from "@/app/_limits/draft";
import { nameFault } from "@/app/_names/name-fault";
import type { CreateKeyInput } from "@/server/keys/schema";
import { LIMIT_NAMES, type LimitName } from "@/server/limits/schema";

/** The group of a planned key. A group that was named and does not exist has no id. */
interface PlannedGroup {
  id: string | undefined;
  name: string;
}

/** A key that is to be created, as the preview shows it. */
export interface PlannedKey {
  name: string;
  /** `null`: no group. */
  group: PlannedGroup | null;
  limits: LimitDraft;
  /** The limits that come from the defaults of the group, where the rows say so one by one. */
  fromGroup?: LimitName[];
  /** The line has more cells than the head of its table. */
  hasMoreCells?: boolean;
}

/** What is wrong with one planned key. */
export type PlannedFault =
  | { of: "name"; fault: NonNullable<ReturnType<typeof nameFault>> }
  | { of: "group"; fault: "noSuchGroup" }
  | { of: "row"; fault: "moreCells" }
  | { of: "limit"; limit: LimitName; fault: LimitFault };

/** Everything that is wrong with a planned key, by the server's own rules. */
export function faultsOfKey({ name, group, limits, hasMoreCells = false }: PlannedKey): PlannedFault[] {
  const ofName = nameFault(name);
  const ofLimits = faultsOf(limits);
  return [
    ...(ofName ? [{ of: "name" as const, fault: ofName }] : []),
    ...(group && group.id === undefined ? [{ of: "group" as const, fault: "noSuchGroup" as const }] : []),
    ...LIMIT_NAMES.flatMap((limit) => {
      const fault = ofLimits[limit];
      return fault ? [{ of: "limit" as const, limit, fault }] : [];
    }),
    ...(hasMoreCells ? [{ of: "row" as const, fault: "moreCells" as const }] : []),
  ];
}

/** A planned key without faults as the server takes it. It gets what the preview shows, and nothing else from its group. */
export function inputOf({ name, group, limits }: PlannedKey): CreateKeyInput {
  return {
    name,
    ...(group?.id !== undefined && { group_id: group.id, apply_defaults: false }),
    ...patchOfNew(limits),
  };
}

/** The limits of a line of CSV: what it says, and for its empty cells the defaults of its group. */
export function withDefaults(limits: Partial<LimitDraft>, defaults: LimitDraft = EMPTY_DRAFT): LimitDraft {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, limits[name] ?? defaults[name]])) as LimitDraft;
}
