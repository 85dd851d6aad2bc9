/**
 * The result of work that may fail for a reason that its caller expects: `Value` after a success, or the reason.
 * Unexpected errors are thrown.
 */
export type Outcome<Value extends object, Reason> = ({ ok: true } & Value) | { ok: false; reason: Reason };
