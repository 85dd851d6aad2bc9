/** The statuses with which a call can fail. */
export type FailureStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 417 | 429 | 431 | 500 | 503;

/** Why a call failed, for its caller. It never contains a stack, an SQL text or a key. */
export interface Failure<Code extends string = string> {
  /** Names the failure for the dashboard, which translates it. A code never changes. */
  code: Code;
  /** The HTTP status. */
  status: FailureStatus;
  /** The sentence for people, which begins with the parameter at fault: `name: a group of this name already exists`. */
  message: string;
  /** The sentence without the parameter. */
  reason: string;
  /** The values in the sentence that differ from one such failure to the next. */
  values: Readonly<Record<string, string | number>>;
  /** Further fields of the body of a REST answer. */
  more?: Readonly<Record<string, unknown>>;
}

/** Describes a failure. `parameter` is the one at fault; `null` when there is none. */
export function failure<const Code extends string>(
  code: Code,
  status: FailureStatus,
  parameter: string | null,
  reason: string,
  values: Failure["values"] = {},
): Failure<Code> {
  return { code, status, message: parameter === null ? reason : `${parameter}: ${reason}`, reason, values };
}
