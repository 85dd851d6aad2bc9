import type { Fault } from "@/server/input/fault";

/** A failure of the server as it reaches the browser: what its words are made of. */
export interface ToldFailure {
  /** Names the failure: one of server/errors. Absent when tRPC itself has refused the call. */
  code?: string | undefined;
  /** The values in the sentence. */
  values: Readonly<Record<string, string | number>>;
  /** What is wrong with each parameter, when the code is `invalid_input`. */
  faults?: readonly Fault[] | undefined;
}
