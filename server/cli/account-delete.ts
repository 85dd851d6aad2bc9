import { createInterface } from "node:readline/promises";
import { deleteMarked, markDeleted } from "../auth/account-deletion";
import { namedAccount } from "../auth/account-state";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import { withClient } from "../db/with-client";
import type { Output } from "./output";
import { openProgressBar } from "./progress-bar";
import { Refusal } from "./refusal";
import { UsageError } from "./usage";

/** Deletes an account and everything that it has. A deletion that was interrupted goes on where it was. */
export async function run(
  { yes = false, discardHeld = false }: { yes?: boolean; discardHeld?: boolean },
  output: Output,
  name: string,
): Promise<void> {
  if (!yes && !process.stdin.isTTY) throw new UsageError("yes: required where nobody can be asked");
  await withDatabase(readConfig(process.env), async (db, { ownerUrl }) => {
    const account = await namedAccount(db, name);
    if (!yes) await confirm(account.email);
    await markDeleted(db, account, discardHeld);
    const bar = openProgressBar();
    const deleted = await withClient(ownerUrl, "allowance delete", (client) =>
      deleteMarked(db, client, account, bar.onProgress),
    ).finally(bar.close);
    const { id: account_id, email } = account;
    const continued = account.deletedAt !== null;
    output.facts(output.isForPeople ? { account_id, email } : { account_id, email, continued, deleted });
    if (output.isForPeople) output.rows(Object.entries(deleted).map(([table, rows]) => ({ table, rows })));
    if (continued) output.remark("The deletion was begun before. What an earlier run has deleted is not counted here.");
  });
}

async function confirm(email: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(
    `This deletes all keys, groups, spend and history of ${email} for good. Type the email to go on: `,
  );
  terminal.close();
  if (answer.trim() !== email) throw new Refusal("that is not the email; nothing was deleted");
}
