/**
 * The tables whose rows belong to an account. A distributed database keeps all rows of an account on one server
 * (docs/scaling.md#citus). The others stay where they are: what sign-in needs, the tokens of gateways, and the operator's
 * prices.
 */
export const TABLES_BY_ACCOUNT = [
  "api_key_group",
  "api_key",
  "earlier_value",
  "event",
  "event_key",
  "event_key_chunk",
  "authorization",
  "ledger",
  "key_day",
  "model_day",
  "refusal_day",
  "refusal",
  "spend_span",
  "model_span",
  "rolled_key",
  "moved_key",
  "key_count",
  "key_count_change",
  "saved_filter",
  "account_price",
] as const;

/** The table whose rows are distributed by the hash of a value, because it is asked before the account is known. */
export const TABLE_BY_HASH = "key_route";

/** The table of which each server has a copy. */
export const REFERENCE_TABLE = "account";

/** Every table that `npm run distribute` brings to its place, in an order in which each may refer to those before it. */
export const PLACED_TABLES: readonly string[] = [REFERENCE_TABLE, ...TABLES_BY_ACCOUNT, TABLE_BY_HASH];
