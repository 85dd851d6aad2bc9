import { enableAccount, namedAccount } from "../auth/account-state";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import type { Output } from "./output";

/** Lets the keys and the owner of an account in again. */
export async function run(_: object, output: Output, name: string): Promise<void> {
  const by = { kind: "command_line", name: "account:enable", address: null } as const;
  await withDatabase(readConfig(process.env), async (db) => {
    const account = await namedAccount(db, name);
    const isChanged = await enableAccount(db, account, by);
    output.facts({ account_id: account.id, email: account.email, state: "active", changed: isChanged });
  });
}
