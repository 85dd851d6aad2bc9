/**
 * The tables whose rows belong to an account. A distributed database keeps all rows of an account on one server
 * (docs/scaling.md#citus). The others stay where they are: `account`, of which each server has a copy, what sign-in needs,
 * and the tokens of gateways.
 */
export const TABLES_BY_ACCOUNT = [
  "api_key_group",
  "api_key",
  "key_secret",
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
