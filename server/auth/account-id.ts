declare const recognized: unique symbol;

/**
 * The id of an account that this code may act for. Only `server/auth` makes one: for a recognised caller, for an account
 * that it creates or recovers, for a gateway of the operator, and for the upkeep of the process. `npm run check` holds
 * that (account-id.grit). Queries take it instead of a text, so that no request can name another account.
 */
export type AccountId = string & { [recognized]: true };
