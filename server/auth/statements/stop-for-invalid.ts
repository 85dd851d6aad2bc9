import { statement } from "@/server/db/statement";
import { STOP } from "@/server/db/write-stop";
import { validCallers } from "./find-callers";
import { validTokens } from "./find-gateways";

/**
 * A row where one of the values does not open a default key, or not any more: of the accounts `$1`, the keys `$2` and the
 * SHA-256 of the values, `$3`. Then this transaction writes nothing, because it would decide for who has no right to it.
 */
export const STOP_FOR_INVALID_CALLERS = statement<{ setting: string }>(
  "stop-for-invalid-callers",
  ["text[]", "text[]", "bytea[]"],
  `
  ${STOP}
  WHERE (SELECT count(*) ${validCallers} AND key.is_default) < cardinality($3::bytea[])`,
);

/** The same of gateways' tokens: `$1` is the SHA-256 of each. */
export const STOP_FOR_INVALID_TOKENS = statement<{ setting: string }>(
  "stop-for-invalid-tokens",
  ["bytea[]"],
  `
  ${STOP}
  WHERE (SELECT count(*) ${validTokens}) < cardinality($1::bytea[])`,
);
