import { z } from "zod";
import { expected } from "../input/expectation";
import { MAX_AMOUNT, roundAmount, roundsToZero } from "./amount";

const amount = (meaning: string, example: number) =>
  z
    .number({ error: expected("number (int or float)") })
    .min(0, { error: "must be 0 or more; 0 means no limit" })
    .max(MAX_AMOUNT, { error: "must be 1e15 or less" })
    .refine((value) => !roundsToZero(value), {
      error: "is too small: it would round to 0, which means no limit; the smallest positive amount is 0.000000001",
    })
    .overwrite(roundAmount)
    .meta({ description: `${meaning} 0 means no limit.`, examples: [example] });

const DATE_FORM = /^\d{4}-\d{2}-\d{2}$/;

const expiryDate = z
  .string({ error: expected("string (YYYY-MM-DD)") })
  .regex(DATE_FORM, { error: "must be a date in the format YYYY-MM-DD", abort: true })
  .refine((date) => z.iso.date().safeParse(date).success, { error: "is not a day of the calendar", abort: true })
  .refine((date) => date >= "1000-01-01", { error: "must be of the year 1000 or later" })
  .meta({
    description: "Last valid day, whole, in the time zone of the account, as YYYY-MM-DD, from the year 1000 on.",
    examples: ["2027-12-31"],
    format: "date",
  });

/** The six limit parameters: their rules, their words, their examples (docs/api.md#limits). */
export const limitFields = {
  budget: amount("Total spending limit in yuan.", 1000),
  expiry_date: expiryDate,
  daily_limit: amount("Spending limit per day in yuan.", 50),
  monthly_limit: amount("Spending limit per month in yuan.", 500),
  input_price_limit: amount("Highest allowed model input price in yuan per million tokens.", 8),
  output_price_limit: amount("Highest allowed model output price in yuan per million tokens.", 24),
};

export type LimitName = keyof typeof limitFields;

export const LIMIT_NAMES = Object.keys(limitFields) as LimitName[];

/** All six as optional parameters. */
export const optionalLimits = {
  budget: limitFields.budget.optional(),
  expiry_date: limitFields.expiry_date.optional(),
  daily_limit: limitFields.daily_limit.optional(),
  monthly_limit: limitFields.monthly_limit.optional(),
  input_price_limit: limitFields.input_price_limit.optional(),
  output_price_limit: limitFields.output_price_limit.optional(),
};

/** The limits that a request carries; an absent one was not sent. */
export type LimitPatch = z.infer<z.ZodObject<typeof optionalLimits>>;

/** At least one limit parameter is required. For `.refine` on an object of `optionalLimits`. */
export const atLeastOneLimit = [
  (input: LimitPatch) => LIMIT_NAMES.some((name) => input[name] !== undefined),
  { error: `at least one limit parameter is required: ${LIMIT_NAMES.join(", ")}` },
] as const;

/** The six limits of a key, as every answer has them. `null` means unset, 0 means no limit. */
export const limitValues = {
  budget: limitFields.budget.nullable(),
  expiry_date: limitFields.expiry_date.nullable(),
  daily_limit: limitFields.daily_limit.nullable(),
  monthly_limit: limitFields.monthly_limit.nullable(),
  input_price_limit: limitFields.input_price_limit.nullable(),
  output_price_limit: limitFields.output_price_limit.nullable(),
};

export type Limits = z.infer<z.ZodObject<typeof limitValues>>;
