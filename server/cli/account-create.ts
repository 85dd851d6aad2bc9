import { createAccount, makePassword } from "../auth/accounts";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import type { Output } from "./output";
import { passwordFromInput } from "./password-input";
import { UsageError } from "./usage";

/** Creates an account, and prints its default key and its password, this once. */
export async function run(
  { email, passwordStdin }: { email?: string; passwordStdin?: boolean },
  output: Output,
): Promise<void> {
  if (!email) throw new UsageError("email: required");
  const password = passwordStdin ? await passwordFromInput() : makePassword();
  const config = readConfig(process.env);
  await withDatabase(config, async (db) => {
    const created = await createAccount(db, {
      email,
      password,
      isPasswordMade: !passwordStdin,
      isProven: true,
      keyPrefix: config.keyPrefix,
      by: { kind: "command_line", name: "account:create", address: null },
    });
    output.facts({ ...created, ...(!passwordStdin && { password }) });
    output.remark("This is shown once. Keep it safe.");
  });
}
