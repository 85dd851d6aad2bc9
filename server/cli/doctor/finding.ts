/** What one check of the doctor has found. */
export interface Finding {
  check: string;
  /** `warning`: it serves, and something should be done. `failed`: it does not serve, or money or data are at risk. */
  state: "ok" | "warning" | "failed";
  found: string;
  /** What to do; null where nothing is to be done. */
  todo: string | null;
}

/** What a check says of itself. */
export type Verdict = Omit<Finding, "check">;

export function ok(found: string): Verdict {
  return { state: "ok", found, todo: null };
}

export function warning(found: string, todo: string): Verdict {
  return { state: "warning", found, todo };
}

export function failed(found: string, todo: string): Verdict {
  return { state: "failed", found, todo };
}

/** What to do about a database that does not answer: its cause stands in a table there. */
export const SEE_CAUSES = "see docs/operations.md#when-something-breaks";
