import { z } from "zod";
import { namedAccount } from "../auth/account-state";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import { hashKeyValue, makeNextValue } from "../keys/key-value";
import { MAX_GRACE_SECONDS } from "../keys/schema";
import { findDefaultKey, rotateSecret } from "../keys/secret-queries";
import { checked } from "./options";
import type { Output } from "./output";
import { Refusal } from "./refusal";

const AN_HOUR = "3600";
const fault = `must be a whole number of seconds from 0 to ${MAX_GRACE_SECONDS} (7 days)`;
const options = z.object({
  grace: z
    .union([z.literal(true).transform(() => AN_HOUR), z.string()])
    .default("0")
    .pipe(
      z
        .string()
        .regex(/^\d{1,6}$/, fault)
        .transform(Number)
        .pipe(z.number().max(MAX_GRACE_SECONDS, fault)),
    ),
});

/** Gives the default key of an account another value, and prints it, this once. */
export async function run(given: object, output: Output, name: string): Promise<void> {
  const { grace: graceSeconds } = checked(options, given);
  const by = { kind: "command_line", name: "key:rotate-default", address: null } as const;
  await withDatabase(readConfig(process.env), async (db) => {
    const { id, email } = await namedAccount(db, name);
    const apikeyId = await findDefaultKey(db, id);
    const apikey = makeNextValue(apikeyId);
    const rotated = await rotateSecret(db, id, by, { apikeyId, hash: hashKeyValue(apikey), graceSeconds });
    if (!rotated.ok) throw new Refusal(rotated.reason.message);
    output.facts({ account_id: id, email, apikey, previous_value_until: rotated.previousUntil });
    output.remark("The value is shown once. Keep it safe.");
  });
}
