import { z } from "zod";
import { day } from "../input/day";
import { rule } from "../input/fault";
import { plainNumber, storable } from "./storable";

const amount = (meaning: string, example: number) =>
  storable(
    plainNumber.min(0, { error: "must be 0 or more; 0 means no limit" }),
    "is too small: it would round to 0, which means no limit; the smallest positive amount is 0.000000001",
  ).meta({ description: `${meaning} 0 means no limit.`, examples: [example] });

const expiryDate = day.meta({
  description: "Last valid day, whole, in the time zone of the account, as YYYY-MM-DD, from the year 1000 on.",
  examples: ["2027-12-31"],
});

/** The limits: their rules, their words, their examples. Whatever lists limits is made from this. See docs/api.md#limits. */
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

export type AmountName = Exclude<LimitName, "expiry_date">;

/** The limits that are amounts: of spend, in yuan, or of a price, in yuan per million tokens. */
export const AMOUNT_NAMES = LIMIT_NAMES.filter((name): name is AmountName => name !== "expiry_date");

/** The limits of spend. Each one bounds what is spent and held in its window: ever, in a day, in a month. */
export const WINDOWS = ["budget", "daily_limit", "monthly_limit"] as const satisfies AmountName[];

export type Window = (typeof WINDOWS)[number];

/** The limits of a single call, each with what it bounds. See docs/api.md#authorize. */
export const CEILINGS = {
  input_price_limit: "input_price",
  output_price_limit: "output_price",
} as const satisfies Partial<Record<AmountName, "amount" | "input_price" | "output_price">>;

export type Ceiling = keyof typeof CEILINGS;

export const CEILING_NAMES = Object.keys(CEILINGS) as Ceiling[];

/** Whether it is the name of a limit that is a price, in yuan per million tokens. */
export function isPrice(name: string): name is Ceiling {
  return (CEILING_NAMES as readonly string[]).includes(name);
}

/** Whether it is the name of a limit of spend. */
export function isWindow(name: string): name is Window {
  return (WINDOWS as readonly string[]).includes(name);
}

/** All of them as optional parameters. */
export const optionalLimits = z.object(limitFields).partial().shape;

/** The limits that a request carries; an absent one was not sent. */
export type LimitPatch = z.infer<z.ZodObject<typeof optionalLimits>>;

/** At least one limit parameter is required. For `.refine` on an object of `optionalLimits`. See docs/api.md#omitted-parameters. */
export const atLeastOneLimit = [
  ({ change = {}, ...input }: LimitPatch & { change?: object | undefined }) =>
    [...LIMIT_NAMES.map((name) => input[name]), ...Object.values(change)].some((value) => value !== undefined),
  rule("nothing_sent", `at least one limit parameter is required: ${LIMIT_NAMES.join(", ")}`),
] as const;

/** All of them as they stand on a key and in every answer: `null` is unset, 0 is "no limit". */
export const limitValues = Object.fromEntries(
  Object.entries(limitFields).map(([name, field]) => [name, field.nullable()]),
) as { [Name in LimitName]: z.ZodNullable<(typeof limitFields)[Name]> };

/** The limits that are set somewhere. */
export const limits = z
  .object(limitValues)
  .meta({ id: "Limits", description: "Each limit; `null` where it is not set." });

export type Limits = z.infer<typeof limits>;
