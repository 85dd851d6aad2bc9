import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import { describeFaults, expectedOneOf } from "../input/expectation";
import { changeCatalogue } from "../prices/change-queries";
import { readDecimal } from "../prices/decimal-text";
import { readPrices } from "../prices/import/read";
import { FROM_EVER, IMPORT_FORMATS, importModelsInput } from "../prices/schema";
import { countsOf, sentenceOf } from "../prices/summary";
import { givenPath } from "./given-path";
import { accountOption, checked } from "./options";
import type { Output } from "./output";
import { namedBook } from "./price-book";
import { priceRow } from "./price-row";
import { Refusal } from "./refusal";

const { currency, rate, valid_from } = importModelsInput.shape;
const options = z
  .object({
    format: z.enum(IMPORT_FORMATS, { error: expectedOneOf(IMPORT_FORMATS) }).optional(),
    currency,
    rate: z
      .string()
      .refine((text) => readDecimal(text) !== undefined, "must be a number above 0, for example 7.2")
      .transform(Number)
      .pipe(rate.unwrap())
      .optional(),
    validFrom: valid_from,
    replace: z.boolean().default(false),
    dryRun: z.boolean().default(false),
    account: accountOption,
  })
  .transform(({ validFrom, ...rest }) => ({ ...rest, valid_from: validFrom }));

/** Sets prices of the operator's catalogue, or of an account, from a file or from the standard input. */
export async function run(given: object, output: Output, file: string): Promise<void> {
  const { format, replace, dryRun: isDryRun, account, ...defaults } = checked(options, given);
  const content = await readText(file);
  const sniffed = /^\uFEFF?\s*\{/.test(content) ? "litellm" : "csv";
  const read = readPrices(content, { ...defaults, format: format ?? sniffed });
  if (!read.ok) throw new Refusal(`${describeFaults(read.issues)}; nothing was changed`);
  const change = { set: read.tariffs, replaceFrom: replace ? (defaults.valid_from ?? FROM_EVER) : undefined };
  const outcome = await withDatabase(readConfig(process.env), async (db) => {
    const { book, record } = await namedBook(db, account, "models:import");
    return changeCatalogue(db, book, change, { isDryRun, record });
  });
  if (!outcome.ok) throw new Refusal(`${outcome.reason.reason}; nothing was changed`);
  const { changes } = outcome;
  const { skipped } = read;
  const made = changes.filter((each) => each.change !== "unchanged");
  const counts = { ...countsOf(changes), skipped_count: skipped.length };
  if (!output.isForPeople) {
    output.facts({ dry_run: isDryRun, ...counts, changes: made, skipped });
    return;
  }
  if (made.length > 0) output.rows(made.map(priceRow));
  if (skipped.length > 0) output.rows(reasonsOf(skipped));
  output.remark(sentenceOf(counts, isDryRun, skipped.length));
}

async function readText(file: string): Promise<string> {
  const bytes = file === "-" ? await buffer(process.stdin) : await readFile(givenPath(file));
  if (!isUtf8(bytes)) throw new Refusal("the file must be in UTF-8; nothing was changed");
  return bytes.toString("utf8");
}

/** A file of thousands of models has a few reasons. */
function reasonsOf(skipped: readonly { name: string; reason: string }[]) {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const names = skipped.filter((each) => each.reason === reason).map(({ name }) => name);
    const more = names.length > 3 ? ", …" : "";
    return { left_out: names.length, reason, names: names.slice(0, 3).join(", ") + more };
  });
}
