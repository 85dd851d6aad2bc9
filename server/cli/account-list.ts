import { type ListedAccount, listAccounts } from "../auth/account-state";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import type { Output } from "./output";

/** Prints every account, the oldest first. A program gets them page by page; a table is as wide as its longest email. */
export async function run(_: object, output: Output): Promise<void> {
  await withDatabase(readConfig(process.env), async (db) => {
    const shown: ListedAccount[] = [];
    for await (const page of listAccounts(db)) {
      if (output.isForPeople) shown.push(...page);
      else output.rows(page.map((account) => ({ ...account })));
    }
    if (output.isForPeople) output.rows(shown.map((account) => ({ ...account })));
  });
}
