import { z } from "zod";
import { createAccount, makePassword } from "../auth/accounts";
import type { CreatedAccount } from "../auth/schema";
import { readConfig } from "../config";
import type { Database } from "../db/client";
import { withDatabase } from "../db/command";
import { type DemoSize, makeDemoData } from "../demo/data";
import { EXAMPLE_MODELS } from "../demo/models";
import { insertDemoData, readPresent } from "../demo/queries";
import { undoneIfInterrupted } from "../interruption";
import { bookOf } from "../prices/book";
import { changeCatalogue } from "../prices/change-queries";
import { recordOfAccount } from "../prices/recording";
import { tariffOf } from "../prices/tariff";
import { checked } from "./options";
import type { Output } from "./output";
import { openProgressBar } from "./progress-bar";

const number = (greatest: number) => {
  const error = `must be a whole number from 0 to ${greatest}`;
  return z.string().regex(/^\d+$/, error).transform(Number).pipe(z.number().max(greatest, error));
};
const options = z.object({
  email: z.string(),
  keys: number(1_000_000),
  groups: number(10_000),
  seed: number(2 ** 32 - 1),
});

/** Creates a demo account with groups, keys, their spend, a history and prices of example models, and prints its default key and its password. */
export async function run(given: object, output: Output): Promise<void> {
  const { email, ...size } = checked(options, given);
  const config = readConfig(process.env);
  const { keyPrefix } = config;
  const seeded = await withDatabase(config, async (db) => {
    const password = makePassword();
    const creation = createAccount(db, { email, password, isPasswordMade: true, isProven: true, keyPrefix, by: BY });
    // A signal may come before the answer of the database, which tells whether the account is there.
    const tell = async () => tellUnfinished(await creation);
    return undoneIfInterrupted(tell, async () => {
      const account = await creation;
      return { ...account, password, ...(await fillAccount(db, account, { ...size, keyPrefix })) };
    });
  });
  output.facts(seeded);
}

const BY = { kind: "command_line", name: "seed", address: null } as const;

/** Puts the data and the prices into an account. @returns how many of each were made. */
async function fillAccount(
  db: Database,
  { account_id, email, apikey }: CreatedAccount,
  size: Omit<DemoSize, "email" | "defaultKeyId">,
) {
  const bar = openProgressBar();
  try {
    const present = await readPresent(db, account_id);
    const data = makeDemoData({ ...size, email, defaultKeyId: apikey.slice(0, 10) }, present);
    await insertDemoData(db, account_id, data, bar.onProgress);
    const record = recordOfAccount(account_id, BY, "models.imported");
    const change = { set: EXAMPLE_MODELS.map(tariffOf) };
    await changeCatalogue(db, bookOf(account_id), change, { isDryRun: false, record });
    const { groups, keys, events } = data;
    const made = { groups: groups.length, keys: keys.length, example_prices: EXAMPLE_MODELS.length };
    // The example prices have an event too.
    return { ...made, events: events.length + 1 };
  } finally {
    bar.close();
  }
}

/** The same command would be refused, because the account is there. */
async function tellUnfinished({ email }: CreatedAccount): Promise<void> {
  process.stderr.write(`the account ${email} does not have all of its data; account delete ${email} removes it\n`);
}
