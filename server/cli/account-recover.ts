import { namedAccount, stateOf } from "../auth/account-state";
import { makePassword, recoverAccount } from "../auth/accounts";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import type { Output } from "./output";
import { passwordFromInput } from "./password-input";
import { UsageError } from "./usage";

/** Gives an account a new password, prints it, and ends all sessions. */
export async function run(
  given: { email?: string; passwordStdin?: boolean; secondFactorOff?: boolean },
  output: Output,
): Promise<void> {
  const { email, passwordStdin, secondFactorOff: endsSecondFactor = false } = given;
  if (!email) throw new UsageError("email: required");
  const password = passwordStdin ? await passwordFromInput() : makePassword();
  const by = { kind: "command_line", name: "account:recover", address: null } as const;
  await withDatabase(readConfig(process.env), async (db) => {
    await recoverAccount(db, { email, password, isPasswordMade: !passwordStdin, endsSecondFactor, by });
    // A disabled account refuses the new password too.
    const state = stateOf(await namedAccount(db, email));
    output.facts({ email, state, ...(!passwordStdin && { password }) });
  });
}
