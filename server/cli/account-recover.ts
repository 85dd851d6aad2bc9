import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { AccountError, makePassword, recoverAccount } from "../auth/accounts";
import { ConfigError, readConfig } from "../config";
import { withDatabase } from "../db/command";
import { isDatabaseUnavailable } from "../db/failure";

/**
 * `npm run -s account:recover -- --email owner@example.com`: gives an account a new password, prints it as one line of
 * JSON, and ends all sessions. `--password-stdin` reads the password from the standard input instead.
 * `--second-factor-off` turns the second factor off. It works with and without a running server.
 */
try {
  const { email, isPasswordGiven, endsSecondFactor } = readOptions();
  const password = isPasswordGiven ? (await text(process.stdin)).replace(/\r?\n$/, "") : makePassword();
  const by = { kind: "command_line", name: "account:recover", address: null } as const;
  await withDatabase(readConfig(process.env), async (db) => {
    await recoverAccount(db, { email, password, endsSecondFactor, by });
    console.log(JSON.stringify({ email, ...(!isPasswordGiven && { password }) }));
  });
} catch (error) {
  console.error(lineFor(error));
  process.exitCode = 1;
}

function readOptions(): { email: string; isPasswordGiven: boolean; endsSecondFactor: boolean } {
  try {
    const flag = { type: "boolean" } as const;
    const options = { email: { type: "string" }, "password-stdin": flag, "second-factor-off": flag } as const;
    const { values } = parseArgs({ options });
    if (values.email) {
      const { "password-stdin": isPasswordGiven = false, "second-factor-off": endsSecondFactor = false } = values;
      return { email: values.email, isPasswordGiven, endsSecondFactor };
    }
  } catch {
    // The same line answers an unknown or incomplete option.
  }
  throw new AccountError(
    "email: required; usage: npm run -s account:recover -- --email owner@example.com [--password-stdin] [--second-factor-off]",
  );
}

function lineFor(error: unknown): string {
  if (error instanceof AccountError || error instanceof ConfigError) return error.message;
  if (isDatabaseUnavailable(error)) return "the database cannot be reached; nothing was changed";
  return `nothing was changed: ${error instanceof Error ? error.message : String(error)}`;
}
