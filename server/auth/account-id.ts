declare const proven: unique symbol;

/** The id of an account that the caller has proven to act for. Only `server/auth` makes one; every query takes one. */
export type AccountId = string & { [proven]: true };
