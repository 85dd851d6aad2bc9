import { z } from "zod";
import { namedAccount } from "../auth/account-state";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import { bookOf, OPERATORS_BOOK } from "../prices/book";
import { listTariffs } from "../prices/queries";
import { fieldsOf } from "../prices/tariff";
import { accountOption, checked } from "./options";
import type { Output } from "./output";

const options = z.object({ account: accountOption });

/** Prints the prices of the operator's catalogue, or those of an account itself, by name. */
export async function run(given: object, output: Output): Promise<void> {
  const { account } = checked(options, given);
  const tariffs = await withDatabase(readConfig(process.env), async (db) => {
    const book = account === undefined ? OPERATORS_BOOK : bookOf((await namedAccount(db, account)).id);
    return listTariffs(db, book, undefined);
  });
  output.rows(
    tariffs.map((tariff) => {
      const { prices, ...fields } = fieldsOf(tariff);
      const identity = { name: tariff.name, valid_from: tariff.validFrom };
      if (!output.isForPeople) return { ...identity, ...fields, prices };
      const yuan = { yuan_input: prices.input, yuan_output: prices.output, yuan_cached_input: prices.cached_input };
      return { ...identity, ...yuan, currency: fields.currency, rate: fields.rate, aliases: fields.aliases };
    }),
  );
}
