import { parseArgs } from "node:util";
import { z } from "zod";
import { AccountError, createAccount, makePassword } from "../auth/accounts";
import { ConfigError, readConfig } from "../config";
import { withDatabase } from "../db/command";
import { isDatabaseUnavailable } from "../db/failure";
import { makeDemoData } from "../demo/data";
import { insertDemoData } from "../demo/queries";

/**
 * `npm run -s seed -- --keys 100000`: creates a demo account with groups, keys and a history, and prints one line of JSON
 * with its default key and its password. It works with and without a running server.
 */
const USAGE = "usage: npm run -s seed -- [--keys 1000] [--groups 200] [--email demo@example.com] [--seed 1]";

const number = (greatest: number) => z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(greatest));
const options = z.object({
  email: z.string().default("demo@example.com"),
  keys: number(1_000_000).default(1000),
  groups: number(10_000).default(200),
  seed: number(2 ** 32 - 1).default(1),
});

/** An option is unknown or has a wrong value. */
class UsageError extends Error {}

try {
  const { email, ...size } = readOptions();
  const config = readConfig(process.env);
  const { keyPrefix } = config;
  const seeded = await withDatabase(config, async (db) => {
    const password = makePassword();
    const by = { kind: "command_line", name: "seed", address: null } as const;
    const account = await createAccount(db, { email, password, isProven: true, keyPrefix, by });
    const defaultKeyId = account.apikey.slice(0, 10);
    const data = makeDemoData({ ...size, keyPrefix, email: account.email, defaultKeyId }, new Date());
    await insertDemoData(db, account.account_id, data, size.seed);
    const { groups, keys, events } = data;
    return { ...account, password, groups: groups.length, keys: keys.length, events: events.length };
  });
  console.log(JSON.stringify(seeded));
} catch (error) {
  console.error(lineFor(error));
  process.exitCode = 1;
}

function readOptions(): z.infer<typeof options> {
  try {
    const text = { type: "string" } as const;
    return options.parse(parseArgs({ options: { email: text, keys: text, groups: text, seed: text } }).values);
  } catch {
    throw new UsageError(USAGE);
  }
}

function lineFor(error: unknown): string {
  if (error instanceof AccountError || error instanceof ConfigError || error instanceof UsageError) {
    return error.message;
  }
  if (isDatabaseUnavailable(error)) return "the database cannot be reached; the seed is not complete";
  return `the seed is not complete: ${error instanceof Error ? error.message : String(error)}`;
}
