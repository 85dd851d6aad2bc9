import { newObjectId } from "@/server/input/new-object-id";
import { type Account, database } from "./client";

/** A price of an account's own catalogue, in yuan per million tokens. */
export interface OwnPrice {
  name: string;
  aliases?: string[];
  input: number;
  output: number;
  cached?: number;
  maxOutputTokens?: number;
  validFrom?: string;
}

/** A price for each name that has no other, so that the operator's catalogue, which specs share, does not count. */
export const REST: OwnPrice = { name: "*", input: 1_000, output: 1_000 };

/** Puts prices into the account's own catalogue. */
export async function addPrices({ account_id }: Account, prices: readonly OwnPrice[]): Promise<void> {
  const rows = prices.map(({ name, aliases = [], input, output, cached, maxOutputTokens, validFrom }) => ({
    id: newObjectId(),
    name,
    aliases,
    input_price: input,
    output_price: output,
    cached_input_price: cached,
    max_output_tokens: maxOutputTokens,
    valid_from: validFrom ?? "1970-01-01",
  }));
  await database.pool.query(
    `WITH added AS (
      INSERT INTO account_price (account_id, id, name, aliases, input_price, output_price, cached_input_price, max_output_tokens, valid_from)
      SELECT $1, id, name, aliases, input_price, output_price, cached_input_price, max_output_tokens, valid_from
      FROM jsonb_to_recordset($2::jsonb) AS price(id text, name text, aliases text[], input_price numeric,
        output_price numeric, cached_input_price numeric, max_output_tokens int, valid_from date)
    ) UPDATE account SET prices_version = prices_version + 1 WHERE id = $1`,
    [account_id, JSON.stringify(rows)],
  );
}
