import type { PriceChange } from "./schema";

/** How many prices became what. */
export interface ChangeCounts {
  created_count: number;
  changed_count: number;
  unchanged_count: number;
  deleted_count: number;
}

/** Counts changes of prices by their kind. */
export function countsOf(changes: readonly Pick<PriceChange, "change">[]): ChangeCounts {
  const count = (kind: PriceChange["change"]) => changes.filter(({ change }) => change === kind).length;
  return {
    created_count: count("created"),
    changed_count: count("changed"),
    unchanged_count: count("unchanged"),
    deleted_count: count("deleted"),
  };
}

/**
 * What became of the prices, or would, in one sentence.
 * @param skipped how many of a file are left out.
 */
export function sentenceOf(counts: ChangeCounts, isDryRun: boolean, skipped = 0): string {
  const { created_count: created, changed_count: changed, deleted_count: deleted, unchanged_count: same } = counts;
  const sentence = `${created} created, ${changed} changed, ${deleted} deleted, ${same} unchanged${skipped === 0 ? "" : `; ${skipped} of the file left out`}.`;
  return isDryRun ? `Nothing changed. Prices would be: ${sentence}` : `Prices: ${sentence}`;
}
