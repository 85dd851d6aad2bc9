import { parseArgs } from "node:util";
import { z } from "zod";
import { createGateway, GatewayError, type NewGateway } from "../auth/gateway-queries";
import { ConfigError, readConfig } from "../config";
import { withDatabase } from "../db/command";
import { isDatabaseUnavailable } from "../db/failure";

/**
 * `npm run -s gateway:create -- --name eu-1 [--accounts ID,…] [--expires 2027-01-31]`: makes a token for a gateway and
 * prints one line of JSON with it, this once. It works with and without a running server.
 */
const USAGE = "usage: npm run -s gateway:create -- --name eu-1 [--accounts ID,ID] [--expires 2027-01-31]";

const options = z.object({
  name: z
    .string({ error: "required" })
    .regex(/^[a-z0-9][a-z0-9.-]{0,31}$/, "must be 1 to 32 lower-case letters, digits, dots and hyphens"),
  accounts: z
    .string()
    .transform((list) => [...new Set(list.split(",").map((id) => id.trim()))])
    .refine((ids) => ids.every((id) => /^[0-9a-f]{24}$/.test(id)), "must be ids of accounts, separated by commas")
    .optional(),
  expires: z.iso
    .date({ error: "must be a date in the format YYYY-MM-DD" })
    .refine((day) => day >= new Date().toISOString().slice(0, 10), "must be today or later, in UTC")
    .optional(),
});

try {
  const gateway = readOptions();
  await withDatabase(readConfig(process.env), async (db) => {
    const token = await createGateway(db, gateway);
    const { name, accountIds, expiresOn } = gateway;
    console.log(JSON.stringify({ name, token, accounts: accountIds ?? null, expires: expiresOn ?? null }));
  });
} catch (error) {
  console.error(lineFor(error));
  process.exitCode = 1;
}

function readOptions(): NewGateway {
  const text = { type: "string" } as const;
  let given: object;
  try {
    given = parseArgs({ options: { name: text, accounts: text, expires: text } }).values;
  } catch {
    throw new GatewayError(USAGE);
  }
  const { data, error } = options.safeParse(given);
  if (error) throw new GatewayError(`${error.issues.map(faultOf).join("; ")}; ${USAGE}`);
  return { name: data.name, accountIds: data.accounts, expiresOn: data.expires };
}

function faultOf({ path, message }: z.core.$ZodIssue): string {
  return `${path.join(".")}: ${message}`;
}

function lineFor(error: unknown): string {
  if (error instanceof GatewayError || error instanceof ConfigError) return error.message;
  if (isDatabaseUnavailable(error)) return "the database cannot be reached; nothing was created";
  return `nothing was created: ${error instanceof Error ? error.message : String(error)}`;
}
