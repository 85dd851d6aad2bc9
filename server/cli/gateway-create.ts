import { z } from "zod";
import { createGateway } from "../auth/gateway-queries";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import { day } from "../input/day";
import { gatewayRow } from "./gateway-row";
import { checked } from "./options";
import type { Output } from "./output";

const options = z.object({
  name: z
    .string({ error: "required" })
    .regex(/^[a-z0-9][a-z0-9.-]{0,31}$/, "must be 1 to 32 lower-case letters, digits, dots and hyphens"),
  accounts: z
    .string()
    .transform((list) => [...new Set(list.split(",").map((id) => id.trim()))])
    .refine((ids) => ids.every((id) => /^[0-9a-f]{24}$/.test(id)), "must be ids of accounts, separated by commas")
    .optional(),
  expires: day
    .refine((date) => date >= new Date().toISOString().slice(0, 10), "must be today or later, in UTC")
    .optional(),
});

/** Makes a token for a gateway, and prints it, this once. */
export async function run(given: object, output: Output): Promise<void> {
  const { name, accounts: accountIds, expires: expiresOn } = checked(options, given);
  const token = await withDatabase(readConfig(process.env), (db) => createGateway(db, { name, accountIds, expiresOn }));
  const made = { name, token, accounts: accountIds ?? null, expires: expiresOn ?? null };
  output.facts(output.isForPeople ? gatewayRow(made) : made);
  output.remark("The token is shown once. Keep it safe.");
}
