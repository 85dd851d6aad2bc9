import { z } from "zod";
import { createAccount, makePassword } from "../auth/accounts";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import { makeDemoData } from "../demo/data";
import { EXAMPLE_MODELS } from "../demo/models";
import { insertDemoData, readPresent } from "../demo/queries";
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
  const bar = openProgressBar();
  const seeded = await withDatabase(config, async (db) => {
    const password = makePassword();
    const by = { kind: "command_line", name: "seed", address: null } as const;
    const account = await createAccount(db, { email, password, isProven: true, keyPrefix, by });
    const defaultKeyId = account.apikey.slice(0, 10);
    const present = await readPresent(db, account.account_id);
    const data = makeDemoData({ ...size, keyPrefix, email: account.email, defaultKeyId }, present);
    await insertDemoData(db, account.account_id, data, bar.told);
    const record = recordOfAccount(account.account_id, by, "models.imported");
    const change = { set: EXAMPLE_MODELS.map(tariffOf) };
    await changeCatalogue(db, bookOf(account.account_id), change, { isDryRun: false, record });
    const { groups, keys, events } = data;
    const made = { groups: groups.length, keys: keys.length, example_prices: EXAMPLE_MODELS.length };
    // The example prices have an event too.
    return { ...account, password, ...made, events: events.length + 1 };
  }).finally(bar.close);
  output.facts(seeded);
}
