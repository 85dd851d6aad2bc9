import { z } from "zod";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import { listOperatorChanges } from "../prices/operator-history";
import { checked } from "./options";
import type { Output } from "./output";

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
    data.map(({ at, change, name, valid_from, before, after, by, user }) => {
      const facts = { at: new Date(at * 1000).toISOString(), by, user, change, name, valid_from };
      if (!output.isForPeople) return { ...facts, before, after };
      const prices = (fields: typeof before) => fields && `${fields.prices.input} / ${fields.prices.output}`;
      return { ...facts, yuan_before: prices(before), yuan_after: prices(after) };
    }),
  );
}
