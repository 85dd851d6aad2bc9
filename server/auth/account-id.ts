declare const recognized: unique symbol;

/**
 * The id of an account that the caller may act for. Only `server/auth` makes one, and `npm run check` holds that
 * (account-id.grit). Queries take it instead of a text, so that no request can name another account.
 */
export type AccountId = string & { [recognized]: true };
