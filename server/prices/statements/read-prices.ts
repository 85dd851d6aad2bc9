import { runningSince } from "@/server/db/running-since";
import { statement } from "@/server/db/statement";

/** How old what a process knows of the prices is. */
export interface PricesState {
  /** The place in the array, from 1 on. */
  place: number;
  /** Today in the account's time zone, YYYY-MM-DD. */
  day: string;
  own_version: number;
  operator_version: number;
  /** Since when the PostgreSQL runs that gives these versions. Another one may give the same number to other prices. */
  running_since: string;
}

/** A row of one of the two catalogues. Prices are decimal numbers as text, in the currency. */
export interface PriceRow {
  version: number;
  /** Null in the one row of an account that has no price. Then nothing stands in the columns after it. */
  id: string | null;
  name: string;
  aliases: string[];
  rate: string;
  input_price: string;
  output_price: string;
  cached_input_price: string | null;
  max_output_tokens: number | null;
  valid_from: string;
}

/** The versions of the prices that count for the accounts `$1`. */
export const READ_PRICES_STATE = statement<PricesState>(
  "read-prices-state",
  ["text[]"],
  `
  SELECT asked.place::int AS place, (now() AT TIME ZONE account.time_zone)::date::text AS day,
    account.prices_version AS own_version,
    (SELECT prices_version FROM operator_catalogue WHERE id = 1) AS operator_version, ${runningSince}::text AS running_since
  FROM unnest($1::text[]) WITH ORDINALITY AS asked(account_id, place)
  CROSS JOIN LATERAL (SELECT * FROM account one WHERE one.id = asked.account_id LIMIT 1) account`,
);

const COLUMNS = `id, name, aliases, rate::text AS rate, input_price::text AS input_price, output_price::text AS output_price,
    cached_input_price::text AS cached_input_price, max_output_tokens, valid_from::text AS valid_from`;

/**
 * The prices of the account `$1`, with their version, which is of the same moment. On several servers it may be older than one
 * that was read before.
 */
export const READ_ACCOUNT_PRICES = statement<PriceRow>(
  "read-account-prices",
  ["text"],
  `
  SELECT own.version, ${COLUMNS}
  FROM (SELECT prices_version AS version FROM account WHERE id = $1) own
  LEFT JOIN account_price ON account_price.account_id = $1`,
);

/** The prices of the operator, with their version. */
export const READ_OPERATOR_PRICES = statement<PriceRow>(
  "read-operator-prices",
  [],
  `
  SELECT (SELECT prices_version FROM operator_catalogue WHERE id = 1) AS version, ${COLUMNS}
  FROM operator_price`,
);
