// Statements that decide by something and statements that write the decision are sent in one piece. Where one of the former finds
// that this something is not so, the latter must write nothing, without an error: PostgreSQL would write that into its log.

/** A setting of a transaction that is `false` when it must write nothing. */
const SETTING = "allowance.may_write";

/** The condition of each statement that writes. True too where nothing has been asked. */
export const mayWrite = `current_setting('${SETTING}', true) IS DISTINCT FROM 'false'`;

/** A column that is as true as its condition, and stops the transaction from writing where it is false. */
export const writesOnlyIf = (condition: string): string =>
  `set_config('${SETTING}', (${condition})::text, true)::boolean`;

/** The beginning of a statement that stops the transaction from writing where it has a row. */
export const STOP = `SELECT set_config('${SETTING}', 'false', true) AS setting`;
