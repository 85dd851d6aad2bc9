import { z } from "zod";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import { listOperatorChanges } from "../prices/operator-history";
import { checked } from "./options";
import type { Output } from "./output";
import { priceRow } from "./price-row";

const fault = "must be a whole number from 1 to 100000";
const options = z.object({
  name: z.string().optional(),
  limit: z
    .string()
    .regex(/^\d{1,6}$/, fault)
    .transform(Number)
    .pipe(z.number().min(1, fault).max(100_000, fault)),
});

/** Prints what was changed in the operator's catalogue, newest first. */
export async function run(given: object, output: Output): Promise<void> {
  const { name, limit } = checked(options, given);
  const page = { page: 1, pageSize: limit };
  const { data } = await withDatabase(readConfig(process.env), (db) => listOperatorChanges(db, name, page));
  output.rows(
    data.map((made) => {
      const { at, by, user, change, name, valid_from, before, after } = made;
      const event = { at: new Date(at * 1000).toISOString(), by, user };
      return { ...event, ...(output.isForPeople ? priceRow(made) : { change, name, valid_from, before, after }) };
    }),
  );
}
