import { z } from "zod";
import { eventList } from "../history/schema";
import { keyId } from "../input/key-id";
import { pageNumber, pageOf, pageSize } from "../input/page";
import { refusalCode } from "../keys/schema";
import { fittingRange, range } from "../usage/schema";

/** How many days the chart of the overview has. */
export const CHART_DAYS = 30;
/** Of how many days the overview counts refusals. */
export const REFUSAL_DAYS = 7;
/** How far the overview counts keys: nobody reads on where there are more. */
export const MOST_COUNTED = 10_000;

const day = (meaning: string, example: string) =>
  z.string().meta({
    description: `${meaning}, a day in the zone of the account.`,
    examples: [example],
    format: "date",
  });
const yuan = (meaning: string, example: number) =>
  z.number().meta({ description: `${meaning}, in yuan.`, examples: [example] });
const count = (meaning: string, example: number) =>
  z.int().meta({ description: meaning, examples: [example], minimum: 0 });

const spentIn = (meaning: string, from: string, to: string, example: number) =>
  z.object({ from: day("First day", from), to: day("Last day, whole", to), spent: yuan("Spent", example) }).meta({
    description: meaning,
  });

const spend = z
  .object({
    today: spentIn("Today.", "2026-11-21", "2026-11-21", 12.5),
    yesterday: spentIn("Yesterday, the whole day.", "2026-11-20", "2026-11-20", 10),
    this_month: spentIn("This month.", "2026-11-01", "2026-11-21", 310),
    last_month_same_days: spentIn(
      "Last month up to the day with the number of today.",
      "2026-10-01",
      "2026-10-21",
      290,
    ),
    last_month: spentIn("Last month.", "2026-10-01", "2026-10-31", 400),
    projected: z
      .object({
        day: day("Last day of the month", "2026-11-30"),
        spent: yuan("Spent by then", 442.8571).nullable(),
      })
      .meta({
        description:
          "What this month will have cost at its end if it goes on as it went so far: what is spent, divided by the part of the month that is over. `null` on its first day.",
      }),
    days: z
      .array(z.object({ day: day("The day", "2026-11-21"), spent: yuan("Spent on that day", 12.5) }))
      .meta({ description: `The days of the last ${CHART_DAYS} on which something was captured, in order.` }),
  })
  .meta({ description: "What the account spent. Days and months are those of its zone." });

const counted = (meaning: string, example: number) =>
  z
    .object({
      count: count(`How many, at most ${MOST_COUNTED}.`, example),
      is_exact: z.boolean().meta({ description: "`false`: there may be more.", examples: [true] }),
    })
    .meta({ description: meaning });

const keys = z
  .object({
    total: count("Keys that are not revoked.", 120),
    at_limit: counted("Keys of the status `exhausted`: a limit is spent.", 2),
    near_limit: counted("Active keys that spent 80 % of a limit or more.", 5),
    expiring: counted("Keys that expire within 7 days.", 1),
  })
  .meta({ description: "Keys that may need the owner." });

const code = z
  .string()
  .meta({ description: "The reason, as in the answer of an authorization.", examples: ["budget"] });

const refusals = z
  .object({
    from: day("First day", "2026-11-15"),
    to: day("Last day", "2026-11-21"),
    data: z
      .array(z.object({ code, count: count("How often.", 30), keys: count("Of how many keys.", 4) }))
      .meta({ description: "The reasons, the most frequent first." }),
    is_exact: z.boolean().meta({
      description: "`false`: there were so many that only the newest were counted.",
      examples: [true],
    }),
  })
  .meta({ description: `Why authorizations of the last ${REFUSAL_DAYS} days were refused.` });

/** What an owner wants to know first. */
export const overview = z
  .object({
    today: day("Today", "2026-11-21"),
    spend,
    keys,
    refusals,
    changes: eventList.shape.data.meta({ description: "The newest changes, without sign-ins." }),
  })
  .meta({ id: "Overview" });

export type Overview = z.infer<typeof overview>;

/** Range, reason and page of the keys that were refused. */
export const listRefusedKeysInput = z
  .object({
    ...range,
    code: refusalCode.optional().meta({ description: "Only refusals for this reason.", examples: ["budget"] }),
    page: pageNumber,
    page_size: pageSize,
  })
  .refine(...fittingRange);

const refusedKey = z
  .object({
    apikey_id: keyId,
    name: z.string().meta({ description: "Name of the key.", examples: ["production"] }),
    code,
    count: count("How often the key was refused for this reason.", 12),
    last_day: day("The last day on which it was", "2026-11-21"),
  })
  .meta({ id: "RefusedApiKey", description: "A key that was refused, for one reason." });

export type RefusedKey = z.infer<typeof refusedKey>;

/** A page of the keys that were refused, each with a reason. */
export const refusedKeyList = pageOf(refusedKey, "The keys of this page, those that were refused most first.");
