import type { KeysEvent, RevertPreview } from "./revert";
import type { LeftOut, PreviewOfRevert } from "./schema";

/** What came of undoing an event. */
export interface Reverted {
  /** What it is about. */
  noun: "key" | "group" | "price";
  /** How many of them are as they were before. */
  updated: number;
  failed: LeftOut[];
  failedCount: number;
  /** How many of these were changed since. */
  skipped: number;
  eventIds: string[];
  /** The name of the group, of a group. */
  name: string | null;
  preview: PreviewOfRevert;
}

/** The same, with what becomes of price ceilings, before models are named that they mean. */
export type Unfinished = Reverted & { counted: RevertPreview };

/** How an event is undone. */
export interface RevertOptions {
  /** Also what was changed since. */
  isForced: boolean;
  /** Only says what would happen. */
  isDryRun: boolean;
}

/** An event that is undone. */
export interface RevertedEvent extends KeysEvent {
  id: string;
  keyCount: number;
}
