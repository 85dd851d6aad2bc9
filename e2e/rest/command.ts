import { expect, inject } from "vitest";
import { type Finished, runToEnd } from "../product";

/** Runs a command on the database of the shared product. */
export const command = (name: string, ...args: string[]): Promise<Finished> =>
  runToEnd(name, args, { env: { DATABASE_URL: inject("databaseUrl") } });

/** What a command that went well answered, in JSON. */
export function answerOf({ code, stdout, stderr }: Finished) {
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

/** The lines that a command printed, each in JSON. */
// biome-ignore lint/suspicious/noExplicitAny: each spec checks the shape that it expects.
export function linesOf({ stdout }: Finished): Record<string, any>[] {
  return stdout
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** An account as an operator makes it, with a password. */
export async function newOwner() {
  const email = `${crypto.randomUUID()}@example.com`;
  return answerOf(await command("account-create", "--email", email)) as Record<
    "account_id" | "email" | "apikey" | "password",
    string
  >;
}
