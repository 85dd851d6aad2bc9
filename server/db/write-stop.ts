// A piece has statements that ask whether a decision may be made, and statements that write it. Where one of the first finds that it
// may not, the others must write nothing. An error would do that too, but PostgreSQL would write it into its log.

/** A setting of a transaction that is `false` when it must write nothing. */
const SETTING = "allowance.may_write";

/** The condition of each statement that writes. True too where nothing has been asked. */
export const mayWrite = `current_setting('${SETTING}', true) IS DISTINCT FROM 'false'`;

/** A column that says whether a condition is true, and stops the transaction from writing where it is not. */
export const writesOnlyIf = (condition: string): string =>
  `set_config('${SETTING}', ((${condition}) IS TRUE)::text, true)::boolean`;

/** The beginning of a statement that stops the transaction from writing where it has a row. */
export const STOP = `SELECT set_config('${SETTING}', 'false', true) AS setting`;
