import { z } from "zod";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import { changeCatalogue } from "../prices/change-queries";
import { listTariffs } from "../prices/queries";
import { importModelsInput } from "../prices/schema";
import { accountOption, checked } from "./options";
import type { Output } from "./output";
import { namedBook } from "./price-book";
import { Refusal } from "./refusal";

const options = z.object({ validFrom: importModelsInput.shape.valid_from, account: accountOption });

/** Deletes the prices of a name from the operator's catalogue, or from that of an account. */
export async function run(given: object, output: Output, name: string): Promise<void> {
  const { validFrom, account } = checked(options, given);
  const outcome = await withDatabase(readConfig(process.env), async (db) => {
    const { book, record } = await namedBook(db, account, "models:delete");
    const named = await listTariffs(db, book, name.normalize("NFC"));
    const remove = named.filter((tariff) => validFrom === undefined || tariff.validFrom === validFrom);
    return changeCatalogue(db, book, { set: [], remove }, { isDryRun: false, record });
  });
  if (!outcome.ok) throw new Refusal(outcome.reason.reason);
  if (outcome.changes.length === 0) {
    const ofDay = validFrom === undefined ? "" : ` that begins on ${validFrom}`;
    throw new Refusal(`there is no price of ${name}${ofDay}; nothing was changed`);
  }
  output.rows(outcome.changes.map(({ change, name, valid_from }) => ({ change, name, valid_from })));
}
