import { z } from "zod";
import { list } from "../input/answer";
import { day as anyDay } from "../input/day";
import { expectedOneOf } from "../input/expectation";
import { rule } from "../input/fault";
import { wellFormedKeyId } from "../input/key-id";
import { objectId } from "../input/object-id";
import { pageNumber, pageOf, pageSize, sortOrder } from "../input/page";
import { atMost, freeText, MAX_NAME_LENGTH } from "../input/text";

/** Longest range of one request, in days. */
export const MAX_DAYS = 366;
/** How many groups, keys or models have a series each. The others share one. */
export const SERIES_SHOWN = 10;

const day = (meaning: string, example: string) =>
  anyDay.meta({ description: `${meaning}, a day in the zone of the account.`, examples: [example] });
const yuan = (meaning: string, example: number) =>
  z.number().meta({ description: `${meaning}, in yuan.`, examples: [example] });
const groupId = objectId.meta({ description: "Identifier of the group.", examples: ["6920a1f0c3d4e5f60718293a"] });

/** The parameters of a range of days. */
export const range = { from: day("First day", "2026-11-01"), to: day("Last day, whole", "2026-11-30") };

/** The arguments of `.refine` for a range: `from` is not after `to`, and the range is not too long. */
export const fittingRange: [
  (input: { from: string; to: string }) => boolean,
  { path: string[] } & ReturnType<typeof rule>,
] = [
  ({ from, to }) => from <= to && daysBetween(from, to) < MAX_DAYS,
  {
    path: ["to"],
    ...rule("range_of_days", `must be from 0 to ${MAX_DAYS - 1} days after from`, { most: MAX_DAYS - 1 }),
  },
];

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

const spentOfDay = z
  .object({ day: day("The day", "2026-11-21"), spent: yuan("Spent on that day", 12.5) })
  .meta({ id: "SpentOfDay", description: "What was spent on a day." });

export type SpentOfDay = z.infer<typeof spentOfDay>;

/** A key and a range of days. */
export const keyUsageInput = z.object({ apikey_id: wellFormedKeyId, ...range }).refine(...fittingRange);

/** The spend of one key by day. Days without a capture are left out. */
export const keyUsage = z.object({
  object: list,
  data: z
    .array(
      z.object({
        ...spentOfDay.shape,
        captures: z.int().meta({ description: "Number of captures.", examples: [40], minimum: 0 }),
      }),
    )
    .meta({ description: "The days on which something was captured, in order." }),
  total: yuan("Spent in the range", 12.5),
});

/** The series of usage: one for each group, for each key, or for each model. */
export const USAGE_BY = ["group", "key", "model"] as const;

export type UsageBy = (typeof USAGE_BY)[number];

/** The fields of answers that count tokens, and the columns of the database that have them. */
export const TOKEN_COLUMNS = ["input_tokens", "cached_input_tokens", "output_tokens"] as const;

const usageBy = z.enum(USAGE_BY, { error: expectedOneOf(USAGE_BY) });

export const usageInput = z
  .object({
    ...range,
    by: usageBy.meta({ description: "What each series is.", examples: ["group"] }),
    group_id: groupId.optional().meta({ description: "Only keys of this group." }),
  })
  .refine(...fittingRange);

const seriesId = z.string().nullable();

const series = z
  .object({
    id: seriesId.meta({
      description:
        "The group, the key, or the name of the model; `null`: keys in no group, captures without a model, or all others together.",
      examples: ["6920a1f0c3d4e5f60718293a"],
    }),
    name: z
      .string()
      .nullable()
      .meta({
        description: "Its name; `null`: keys in no group, captures without a model, or all others together.",
        examples: ["Research"],
      }),
    is_rest: z.boolean().meta({ description: "Whether it is all others together.", examples: [false] }),
    total: yuan("Spent in the range", 12.5),
    days: z.array(spentOfDay).meta({ description: "The days on which something was captured, in order." }),
  })
  .meta({ id: "UsageSeries", description: "What one group, one key or one model spent, by day." });

export type Series = z.infer<typeof series>;

/** The spend of the account by day: a series for each of those that spent most, and one for all others. */
export const usage = z.object({
  object: list,
  data: z.array(series).meta({ description: "Those that spent most, the first first; at last all others together." }),
  total: yuan("Spent in the range", 12.5),
});

export const TOTAL_SORTS = [
  "spent",
  "captures",
  "name",
  "input_tokens",
  "cached_input_tokens",
  "output_tokens",
] as const;

export type TotalSort = (typeof TOTAL_SORTS)[number];

const whose = {
  ...range,
  by: usageBy.meta({ description: "What each row is.", examples: ["key"] }),
  group_id: groupId.optional().meta({ description: "Only keys of this group." }),
};

/** Range, filter, order and page of what groups, keys or models spent. */
export const totalsInput = z
  .object({
    ...whose,
    search: atMost(freeText, MAX_NAME_LENGTH)
      .optional()
      .meta({ description: "A part of the name, or of the `apikey_id`, in any letter case.", examples: ["prod"] }),
    sort: z
      .enum(TOTAL_SORTS, { error: expectedOneOf(TOTAL_SORTS) })
      .optional()
      .meta({
        description:
          "What to order by. `spent` when it is not sent. What has no name, or no tokens, comes last by these.",
        examples: ["spent"],
      }),
    order: sortOrder,
    page: pageNumber,
    page_size: pageSize,
  })
  .refine(...fittingRange);

const captures = z.int().meta({ description: "Number of captures.", examples: [40], minimum: 0 });
const tokens = (of: string, example: number) =>
  z
    .int()
    .nullable()
    .meta({
      description: `${of} of the captures by usage; \`null\` where nothing is known of them, as for groups and keys.`,
      examples: [example],
      minimum: 0,
    });

const total = z
  .object({
    id: seriesId.meta({
      description:
        "The group, the key, or the name of the model; `null`: keys in no group, or captures without a model.",
      examples: ["sk-AbC1234"],
    }),
    name: z
      .string()
      .nullable()
      .meta({
        description: "Its name; `null`: keys in no group, or captures without a model.",
        examples: ["production"],
      }),
    group_id: groupId.nullable().meta({ description: "The group that a key is in now." }),
    group_name: z
      .string()
      .nullable()
      .meta({ description: "Name of that group.", examples: ["Research"] }),
    spent: yuan("Spent in the range", 12.5),
    captures,
    input_tokens: tokens("Input tokens, the cached ones among them,", 120_000),
    cached_input_tokens: tokens("Cached input tokens", 80_000),
    output_tokens: tokens("Output tokens", 30_000),
  })
  .meta({ id: "UsageTotal", description: "What one group, one key or one model spent." });

export type Total = z.infer<typeof total>;

/** A page of what groups, keys or models spent. Each that had a capture in the range is on one of the pages. */
export const totalPage = z.object({
  ...pageOf(total, "The groups, keys or models of this page.").shape,
  spent: yuan("Spent on all pages", 12.5),
  captures: captures.meta({ description: "Number of captures on all pages.", examples: [40] }),
  input_tokens: tokens("Input tokens, the cached ones among them, on all pages,", 120_000),
  cached_input_tokens: tokens("Cached input tokens on all pages,", 80_000),
  output_tokens: tokens("Output tokens on all pages,", 30_000),
});

/** Range and filter of a file with what all groups, keys or models spent. */
export const exportTotalsInput = z
  .object({
    ...whose,
    after: wellFormedKeyId.optional().meta({
      description: "Only keys with an id after this one, to go on with an export by key that broke off.",
      examples: ["sk-AbC1234"],
    }),
  })
  .refine(...fittingRange);

/** The next part of a file with what all groups, keys or models spent. REST sends the parts one after the other. */
export const exportedTotals = z.object({
  /** The media type of the file. */
  type: z.string(),
  name: z.string(),
  text: z.string(),
  /** The key after which the next part begins; `null`: this is the last part. */
  next: z.string().nullable(),
});

/** Why a key was refused, and how often. */
export const refusals = z.object({
  object: list,
  data: z
    .array(
      z.object({
        code: z
          .string()
          .meta({ description: "The reason, as in the answer of an authorization.", examples: ["budget"] }),
        count: z.int().meta({ description: "How often.", examples: [3], minimum: 1 }),
      }),
    )
    .meta({ description: "The reasons, the most frequent first." }),
});
