import { z } from "zod";
import { success } from "../input/answer";
import { day } from "../input/day";
import { expected, expectedOneOf } from "../input/expectation";
import { rule } from "../input/fault";
import { objectId } from "../input/object-id";
import { pageNumber, pageOf, pageSize, sortOrder } from "../input/page";
import { atMost, composedText, freeText } from "../input/text";
import { withThousands } from "../input/thousands";
import { unixTime } from "../input/unix-time";
import { wholeNumber } from "../input/whole-number";
import { MAX_AMOUNT } from "../limits/amount";
import { dryRun } from "../limits/preview";
import { plainNumber, storable } from "../limits/storable";
import { unitsOf } from "../limits/units";
import { STATES } from "./catalogue";
import { priceInYuan } from "./cost";

/** The longest name of a model, in characters. */
export const MAX_MODEL_NAME_LENGTH = 200;
const MAX_ALIASES = 50;
/** The most prices that a catalogue has: the operator's, and each account's. */
export const MAX_PRICES = 10_000;
/** The longest file that is imported, in characters. */
export const MAX_IMPORT_LENGTH = 4_000_000;

/** The first day of a price that counts from ever on. */
export const FROM_EVER = "1970-01-01";

export const SOURCES = ["operator", "account"] as const;
/** What the prices can be sorted by. Prices are compared in yuan. */
export const MODEL_SORTS = ["name", "input", "cached_input", "output", "max_output_tokens", "valid_from"] as const;

export type ModelSort = (typeof MODEL_SORTS)[number];

export const IMPORT_FORMATS = ["litellm", "csv"] as const;

const modelId = objectId.meta({
  description: "Identifier of the price.",
  examples: ["6920a1f0c3d4e5f607182950"],
});

/** White space around a name is never meant, and nobody would see it. */
const trimmedName = atMost(
  composedText(MAX_MODEL_NAME_LENGTH)
    .overwrite((name) => name.trim())
    .refine((name) => name !== "", rule("empty", "must not be empty")),
  MAX_MODEL_NAME_LENGTH,
).meta({ minLength: 1 });
const modelName = trimmedName.meta({
  description: `Name of the model, 1 to ${MAX_MODEL_NAME_LENGTH} characters, or a pattern in which \`*\` stands for any characters.`,
  examples: ["example-large"],
});
const alias = trimmedName
  .refine((name) => !name.includes("*"), rule("pattern_as_alias", "must not contain *: only a name can be a pattern"))
  .meta({
    description: `Another name of the model, 1 to ${MAX_MODEL_NAME_LENGTH} characters.`,
    examples: ["example-large-latest"],
  });
const aliases = z
  .array(alias, { error: expected("array of strings") })
  .max(MAX_ALIASES, { error: `must have at most ${MAX_ALIASES} names` })
  .meta({ description: "Other names of the model.", examples: [["example-large-latest"]] });

const currency = z
  .string({ error: expected("string (ISO 4217)") })
  .overwrite((code) => code.trim().toUpperCase())
  .refine(
    (code) => /^[A-Z]{3}$/.test(code),
    rule("not_currency", "must be the code of a currency in three letters, for example USD"),
  )
  .meta({ description: "ISO 4217 code of the currency of the prices.", examples: ["USD"] });
/** Each fault ends the checks: what is computed from several values must not meet a wrong one. */
const storableOrEnd = (number: z.ZodNumber) =>
  storable(number, "is too small: it would round to 0; the smallest amount is 0.000000001", true);
const rate = storableOrEnd(plainNumber.gt(0, { error: "must be more than 0", abort: true })).meta({
  description: "Yuan for one unit of the currency; 1 for yuan.",
  examples: [7.2],
});
const price = (tokens: string, example: number) =>
  storableOrEnd(plainNumber.min(0, { error: "must be 0 or more", abort: true })).meta({
    description: `Price of a million ${tokens}, in the currency. 0 is free of charge.`,
    examples: [example],
  });
const inputPrice = price("input tokens", 2.5);
const outputPrice = price("output tokens", 10);
const cachedInputPrice = price("input tokens that the model has read before", 1.25).nullable();
const maxOutputTokens = wholeNumber
  .min(1, { error: "must be 1 or more" })
  .max(2_147_483_647, { error: "must be 2147483647 or less" })
  .nullable()
  .meta({ description: "The most tokens that the model answers with; `null`: unknown.", examples: [16384] });
const validFrom = day.meta({
  description: "First day on which the price counts, in the time zone of the account.",
  examples: ["1970-01-01"],
});

const yuan = (tokens: string, example: number) =>
  z.number().meta({ description: `Of a million ${tokens}.`, examples: [example], minimum: 0 });
/** Prices in yuan per million tokens. */
export const tokenPrices = z.object({
  input: yuan("input tokens", 18),
  output: yuan("output tokens", 72),
  cached_input: yuan("input tokens that the model has read before", 9),
});
/** The same, of the catalogue. */
export const yuanPrices = tokenPrices.meta({
  description: "The prices in yuan per million tokens: price times rate, rounded half-even to 9 decimals.",
});

const fields = {
  aliases,
  currency,
  rate,
  input_price: inputPrice,
  output_price: outputPrice,
  cached_input_price: cachedInputPrice.meta({
    description:
      "Price of a million input tokens that the model has read before, in the currency; `null`: as `input_price`.",
  }),
  max_output_tokens: maxOutputTokens,
};

const priceFields = z.object({ ...fields, prices: yuanPrices });

/** A price without what tells it from others. */
export type PriceFields = z.infer<typeof priceFields>;

const modelEntry = z.object({
  model_id: modelId,
  name: modelName,
  source: z.enum(SOURCES).meta({
    description: "Whose price it is: of the operator, for every account, or of this account.",
    examples: ["account"],
  }),
  ...priceFields.shape,
  valid_from: validFrom,
  state: z.enum(STATES).meta({
    description:
      "Whether it counts today: `in_force`; `upcoming`: it begins later; `superseded`: one of the same name began after it; `overridden`: the account has a price of its own for the model.",
    examples: ["in_force"],
  }),
  overrides_operator: z.boolean().meta({
    description: "Whether it is a price of the account that counts today in place of one of the operator.",
    examples: [true],
  }),
  updated_at: unixTime("Time of the last change"),
});

export type ModelEntry = z.infer<typeof modelEntry>;

/** Filter and page of the prices. */
export const listModelsInput = z.object({
  search: atMost(freeText, MAX_MODEL_NAME_LENGTH)
    .optional()
    .meta({ description: "A part of the name or of an alias, in any letter case.", examples: ["large"] }),
  name: modelName.optional().meta({
    description: "Only prices of exactly this name or pattern.",
    examples: ["example-large"],
  }),
  source: z
    .enum(SOURCES, { error: expectedOneOf(SOURCES) })
    .optional()
    .meta({ description: "Only prices of the operator, or only those of the account.", examples: ["account"] }),
  day: z
    .union([z.literal("today"), day], { error: "must be today, or a day of the calendar as YYYY-MM-DD" })
    .optional()
    .meta({
      description:
        "`today` or a day as YYYY-MM-DD, in the time zone of the account: only the prices that count on it. All prices when it is not sent.",
      examples: ["today"],
    }),
  sort: z
    .enum(MODEL_SORTS, { error: expectedOneOf(MODEL_SORTS) })
    .optional()
    .meta({
      description: "What to order by. `name` when it is not sent; of one name, the newest first.",
      examples: ["name"],
    }),
  order: sortOrder.meta({ description: "`asc` when it is not sent.", examples: ["asc"] }),
  page: pageNumber,
  page_size: pageSize,
});

/** A page of the prices. */
export const modelPage = pageOf(modelEntry, "The prices of this page.");

/** Path of a price. */
export const modelReference = z.object({ model_id: modelId });

/** One price. */
export const oneModel = modelEntry;

/** The rate fits the currency. */
function checkRate(
  { currency: code = "CNY", rate: given }: { currency?: string | undefined; rate?: number | undefined },
  context: z.RefinementCtx,
): void {
  const refuse = ({ error: message, params }: ReturnType<typeof rule>) =>
    context.addIssue({ code: "custom", message, params, path: ["rate"] });
  if (code !== "CNY" && given === undefined) {
    refuse(rule("rate_missing", "is required, because the prices are not in yuan"));
  }
  if (code === "CNY" && (given ?? 1) !== 1) {
    refuse(rule("rate_of_yuan", "must be 1 or left out, because the prices are in yuan"));
  }
}

/** What a request says of a price, besides its name and its first day. */
const sentFields = {
  aliases: aliases.optional(),
  currency: currency.optional(),
  rate: rate.optional(),
  input_price: inputPrice,
  output_price: outputPrice,
  cached_input_price: fields.cached_input_price.optional(),
  max_output_tokens: maxOutputTokens.optional(),
};

const before = z
  .object(sentFields, { error: expected("object or null") })
  .superRefine(checkRate)
  .meta({
    id: "ModelBefore",
    description: "A price as it was read.",
    examples: [{ input_price: 4, output_price: 12 }],
  })
  .nullable()
  .optional()
  .meta({
    description:
      "What the change is based on: the price of this name and first day as it was read; `null`: there was none. Where it is another one by now, nothing is changed.",
  });

/** A price, as a request sets it. */
export const modelInput = z
  .object(
    {
      name: modelName,
      ...sentFields,
      valid_from: validFrom.optional(),
      before,
    },
    { error: expected("object") },
  )
  .superRefine(checkRate)
  .superRefine((input, context) => {
    for (const name of ["input_price", "output_price", "cached_input_price"] as const) {
      const given = input[name] ?? 0;
      const inYuan = priceInYuan(unitsOf(given), unitsOf(input.rate ?? 1));
      const { error: message, params } =
        given > 0 && inYuan === 0n
          ? rule("rounds_to_zero", "is too small: in yuan it would round to 0")
          : rule("too_large", "must be 1e15 or less in yuan", { most: MAX_AMOUNT });
      if ((given > 0 && inYuan === 0n) || inYuan > unitsOf(MAX_AMOUNT)) {
        context.addIssue({ code: "custom", message, params, path: [name] });
      }
    }
  });

export type ModelInput = z.infer<typeof modelInput>;

/** Body of the setting of prices. */
export const setModelsInput = z.object({
  models: z
    .array(modelInput, { error: expected("array of objects") })
    .min(1, { error: "must have at least one price" })
    .max(MAX_PRICES, { error: `must have at most ${MAX_PRICES} prices` })
    .superRefine((models, context) => {
      const places = new Map<string, number>();
      for (const [place, { name, valid_from: from = FROM_EVER }] of models.entries()) {
        const first = places.get(`${from} ${name}`);
        places.set(`${from} ${name}`, first ?? place);
        if (first === undefined) continue;
        const { error: message, params } = rule(
          "same_price_twice",
          `has the name and the first day of models[${first}]`,
          { first: first + 1 },
        );
        context.addIssue({ code: "custom", message, params, path: [place] });
      }
    })
    .meta({
      description: `The prices, at most ${withThousands(MAX_PRICES)}. One with the name and \`valid_from\` of a price of the account replaces it whole.`,
    }),
  dry_run: dryRun,
});

/** Body of an import. */
export const importModelsInput = z.object({
  format: z.enum(IMPORT_FORMATS, { error: expectedOneOf(IMPORT_FORMATS) }).meta({
    description: "`litellm`: the JSON of LiteLLM's model_prices_and_context_window.json; `csv`.",
    examples: ["csv"],
  }),
  content: atMost(z.string({ error: expected("string") }), MAX_IMPORT_LENGTH).meta({
    description: "The text of the file.",
    examples: ["name,input_price,output_price\nexample-large,2.5,10\n"],
  }),
  currency: currency.optional().meta({
    description: "Currency of prices that name none themselves. When it is not sent, USD for `litellm`, CNY for `csv`.",
  }),
  rate: rate.optional().meta({
    description: "Yuan for one unit of that currency. Required where it is not CNY and a price has no rate itself.",
  }),
  valid_from: validFrom.optional().meta({
    description: "First day of the prices that name none themselves. 1970-01-01 when it is not sent.",
  }),
  replace: z
    .boolean({ error: expected("boolean") })
    .optional()
    .meta({
      description: "`true`: delete the account's prices with this `valid_from` that the file does not have.",
      examples: [false],
    }),
  dry_run: dryRun,
});

const CHANGES = ["created", "changed", "unchanged", "deleted"] as const;

const describedChange = {
  change: z.enum(CHANGES).meta({ description: "What became of the price.", examples: ["changed"] }),
  name: modelName,
  valid_from: validFrom,
  before: priceFields.nullable().meta({ description: "The price before; `null`: there was none." }),
  after: priceFields.nullable().meta({ description: "The price after; `null`: it is deleted." }),
};

const priceChange = z.object({
  ...describedChange,
  model_id: modelId.nullable().meta({ description: "Identifier of the price; `null`: with `dry_run`, of a new one." }),
});

export type PriceChange = z.infer<typeof priceChange>;

const count = (what: string, example: number) =>
  z.int().meta({ description: `How many prices ${what}.`, examples: [example], minimum: 0 });

/** Answer of the setting of prices. */
export const changedModels = z.object({
  success,
  message: z.string().meta({
    description: "Human-readable confirmation.",
    examples: ["Prices: 1 created, 1 changed, 0 deleted, 21 unchanged."],
  }),
  created_count: count("are new", 1),
  changed_count: count("have changed", 1),
  unchanged_count: count("were so before", 21),
  deleted_count: count("are deleted", 0),
  changes: z.array(priceChange).meta({ description: "What became of each price, by name." }),
});

/** Why an entry of a file is left out. Of `refused`, the answer names what is wrong with it instead. */
export const SKIP_REASONS = {
  describes_format: "it describes the format",
  not_an_object: "it is not an object",
  same_name: "another entry has the same name",
  no_price: "it has no price per token",
  no_input_price: "it has no price of input tokens",
  no_output_price: "it has no price of output tokens",
  rounds_to_zero: "a price of it is too small: it would round to 0",
  not_by_tokens: "it is not priced by tokens",
  refused: "it has a value that is not accepted",
} as const;

export type SkipCode = keyof typeof SKIP_REASONS;

const skipped = z.object({
  name: z.string().meta({ description: "Name in the file.", examples: ["example-image"] }),
  code: z.enum(Object.keys(SKIP_REASONS) as [SkipCode, ...SkipCode[]]).meta({
    description: "Names the reason.",
    examples: ["no_price"],
  }),
  reason: z.string().meta({ description: "Why it is left out.", examples: ["it has no price per token"] }),
});

export type Skipped = z.infer<typeof skipped>;

/** Answer of an import. */
export const importedModels = z.object({
  ...changedModels.shape,
  skipped_count: count("of the file are left out", 1),
  skipped: z.array(skipped).meta({ description: "What of the file is left out." }),
});

/** Answer of the deletion of a price. */
export const deletedModel = z.object({
  success,
  message: z.string().meta({
    description: "Human-readable confirmation.",
    examples: ['Price of "example-large" deleted.'],
  }),
});

/** Page of the operator's changes. */
export const listModelChangesInput = z.object({
  search: listModelsInput.shape.search.meta({
    description: "A part of the name of the model, in any letter case.",
    examples: ["large"],
  }),
  page: pageNumber,
  page_size: pageSize,
});

const operatorChange = z.object({
  at: unixTime("Time of the change"),
  by: z.string().meta({ description: "The command that changed it.", examples: ["models:import"] }),
  ...describedChange,
});

export type OperatorChange = z.infer<typeof operatorChange>;

/** A page of what the operator changed. */
export const operatorChangePage = pageOf(operatorChange, "The changes of this page, newest first.");

/** Path and page of the prices of one event of the history. */
export const listEventModelsInput = z.object({
  event_id: objectId.meta({ description: "Identifier of the event.", examples: ["6920a1f0c3d4e5f607182940"] }),
  page: pageNumber,
  page_size: pageSize,
});

/** What a change made of one price. */
export const eventChange = z.object(describedChange);

export type EventChange = z.infer<typeof eventChange>;

/** A page of the prices that one event changed. */
export const eventModelList = pageOf(eventChange, "The changes of this page, by name.");
