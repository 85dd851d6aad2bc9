/**
 * What came of something that may fail for a reason which its caller expects: `Value` when it succeeded, else the
 * reason. Errors that nobody expects are thrown.
 */
export type Outcome<Value extends object, Reason> = ({ ok: true } & Value) | { ok: false; reason: Reason };
