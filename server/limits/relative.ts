import { z } from "zod";
import { expectedOnly } from "../input/expectation";
import { rule } from "../input/fault";
import { MAX_AMOUNT, roundAmount, roundsToZero } from "./amount";
import { AMOUNT_NAMES, type AmountName, type LimitPatch } from "./schema";
import { plainNumber, storable } from "./storable";

/** The ways to change an amount from what it is. Exactly one stands in a relative change. See docs/api.md#relative-changes. */
const OPERATIONS = ["multiply", "add", "at_least", "at_most"] as const;

export type Operation = (typeof OPERATIONS)[number];

/** The largest factor. A larger one is a slip: it would reach the largest amount from one yuan at once. */
const MAX_FACTOR = 1e6;

const POSITIVE = "must be more than 0";
const TOO_SMALL = "is too small: it would round to 0";

/** An amount like a limit, but 0 is refused: it would lift the limit. */
const bound = (meaning: string, example: number) =>
  storable(plainNumber.gt(0, { error: POSITIVE, abort: true }), TOO_SMALL)
    .optional()
    .meta({ description: meaning, examples: [example] });

/** A change of an amount from what it is, with exactly one operation. */
export const relativeChange = z
  .strictObject(
    {
      multiply: plainNumber
        .gt(0, { error: POSITIVE })
        .max(MAX_FACTOR, { error: `must be ${MAX_FACTOR} or less` })
        .optional()
        .meta({ description: "A factor: 1.2 raises by 20 %, 0.8 lowers by 20 %.", examples: [1.2] }),
      add: plainNumber
        .min(-MAX_AMOUNT, { error: "must be -1e15 or more" })
        .max(MAX_AMOUNT, { error: "must be 1e15 or less" })
        .refine((value) => !roundsToZero(Math.abs(value)), rule("rounds_to_zero", TOO_SMALL))
        .overwrite((value) => (value < 0 ? -roundAmount(-value) : roundAmount(value)))
        .optional()
        .meta({ description: "What to add; less than 0 takes away.", examples: [50] }),
      at_least: bound("Raises a lower limit to this amount.", 10),
      at_most: bound("Lowers a higher limit to this amount, no limit too.", 100),
    },
    { error: expectedOnly(OPERATIONS) },
  )
  .refine(
    (sent) => Object.values(sent).filter((value) => value !== undefined).length === 1,
    rule("exactly_one_of", `must have exactly one of ${OPERATIONS.join(", ")}`, { names: OPERATIONS.join(", ") }),
  )
  .meta({
    id: "RelativeChange",
    description: "How an amount changes: exactly one of the operations.",
    examples: [{ multiply: 1.2 }],
    minProperties: 1,
    maxProperties: 1,
  });

export type RelativeChange = z.infer<typeof relativeChange>;

const oneChange = relativeChange.optional();

/** Parameter: amounts that change from what they are on each key. */
export const relativeChanges = z
  .strictObject(
    Object.fromEntries(AMOUNT_NAMES.map((name) => [name, oneChange])) as Record<AmountName, typeof oneChange>,
    { error: expectedOnly(AMOUNT_NAMES) },
  )
  .meta({ id: "RelativeChanges", description: "Amounts that change from what they are, each by one operation." })
  .optional()
  .meta({
    description:
      "Amounts that change from what they are on each key, each by one of `multiply`, `add`, `at_least`, `at_most`. A key without a limit keeps none, except with `at_most`.",
    examples: [{ budget: { multiply: 1.2 } }],
  });

interface ManyLimits extends LimitPatch {
  change?: Partial<Record<AmountName, RelativeChange | undefined>> | undefined;
}

/** A limit is set or changed from what it is, not both. For `.refine`. */
export const setOrChanged: [(input: ManyLimits) => boolean, { path: string[] } & ReturnType<typeof rule>] = [
  ({ change, ...limits }) => AMOUNT_NAMES.every((name) => limits[name] === undefined || change?.[name] === undefined),
  { path: ["change"], ...rule("not_accepted", "must not name a limit that is also sent by itself") },
];

/** The one operation of a relative change, and its number. */
export function operationOf(change: RelativeChange): [Operation, number] {
  for (const name of OPERATIONS) {
    const value = change[name];
    if (value !== undefined) return [name, value];
  }
  throw new TypeError("a relative change has one operation");
}

/** Whether what becomes of a limit depends on what it is. */
export function isRelative(change: unknown): change is RelativeChange {
  return typeof change === "object" && change !== null;
}
