import type { LeftOutKeys } from "@/server/keys/schema";

/** What one call of a walk answers. */
export interface WalkPart {
  updated_count: number;
  unchanged_count?: number | undefined;
  left_out?: LeftOutKeys[] | undefined;
  remaining_count?: number | undefined;
  remaining_count_is_exact?: boolean | undefined;
  next?: string | null | undefined;
}

/** A change of all keys that match a filter, call by call, as far as it has come. */
export interface Walk {
  state: "running" | "stopping" | "stopped" | "broken" | "done";
  /** How many keys it has come to. */
  seen: number;
  /** How many it will have come to at the end. Others may add keys and change them, so this may change. */
  total: number;
  updated: number;
  /** How many of `updated` were so before. */
  unchanged: number;
  leftOut: LeftOutKeys[];
  /** Why it is broken. */
  error?: unknown;
}

/** A walk through so many keys, before its first call. */
export function beginWalk(total: number): Walk {
  return { state: "running", seen: 0, total, updated: 0, unchanged: 0, leftOut: [] };
}

/** The walk after one more call. */
export function withPart(walk: Walk, part: WalkPart): Walk {
  const { updated_count, unchanged_count = 0, left_out = [], remaining_count = 0 } = part;
  const seen = walk.seen + updated_count + left_out.reduce((sum, { key_count }) => sum + key_count, 0);
  const expected = seen + remaining_count;
  return {
    ...walk,
    seen,
    total: part.remaining_count_is_exact === false ? Math.max(walk.total, expected) : expected,
    updated: walk.updated + updated_count,
    unchanged: walk.unchanged + unchanged_count,
    leftOut: mergeLeftOut(walk.leftOut, left_out),
  };
}

function mergeLeftOut(before: LeftOutKeys[], more: LeftOutKeys[]): LeftOutKeys[] {
  const merged = new Map(before.map((each) => [each.code, each]));
  for (const each of more) {
    merged.set(each.code, { ...each, key_count: each.key_count + (merged.get(each.code)?.key_count ?? 0) });
  }
  return [...merged.values()];
}
