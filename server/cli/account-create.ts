import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { AccountError, createAccount, makePassword } from "../auth/accounts";
import { ConfigError, readConfig } from "../config";
import { withDatabase } from "../db/command";
import { isDatabaseUnavailable } from "../db/failure";

/**
 * `npm run -s account:create -- --email owner@example.com`: creates an account and prints one line of JSON with its
 * default key and its password, this once. `--password-stdin` reads the password from the standard input instead. It works
 * with and without a running server.
 */
try {
  const { email, isPasswordGiven } = readOptions();
  const password = isPasswordGiven ? (await text(process.stdin)).replace(/\r?\n$/, "") : makePassword();
  const config = readConfig(process.env);
  await withDatabase(config, async (db) => {
    const created = await createAccount(db, {
      email,
      password,
      isProven: true,
      keyPrefix: config.keyPrefix,
      by: { kind: "command_line", name: "account:create", address: null },
    });
    console.log(JSON.stringify({ ...created, ...(!isPasswordGiven && { password }) }));
  });
} catch (error) {
  console.error(lineFor(error));
  process.exitCode = 1;
}

function readOptions(): { email: string; isPasswordGiven: boolean } {
  try {
    const { values } = parseArgs({ options: { email: { type: "string" }, "password-stdin": { type: "boolean" } } });
    if (values.email) return { email: values.email, isPasswordGiven: values["password-stdin"] ?? false };
  } catch {
    // The same line answers an unknown or incomplete option.
  }
  throw new AccountError(
    "email: required; usage: npm run -s account:create -- --email owner@example.com [--password-stdin]",
  );
}

function lineFor(error: unknown): string {
  if (error instanceof AccountError || error instanceof ConfigError) return error.message;
  if (isDatabaseUnavailable(error)) return "the database cannot be reached; nothing was created";
  return `nothing was created: ${error instanceof Error ? error.message : String(error)}`;
}
