import { z } from "zod";
import { keyCount } from "../input/answer";
import { expected } from "../input/expectation";
import { keyId } from "../input/key-id";
import { relativeChange } from "./relative";
import { LIMIT_NAMES } from "./schema";

/** Parameter: whether limits of many keys are only previewed. */
export const dryRun = z
  .boolean({ error: expected("boolean") })
  .optional()
  .meta({ description: "`true`: change nothing, and answer what would happen.", examples: [true] });

const value = z.union([z.number(), z.string()]).nullable();

/** How many of the values that a limit has now a preview names. */
export const VALUES_SHOWN = 5;
/** How many of the keys that would be blocked a preview names. */
export const BLOCKED_SHOWN = 20;

/** A key in a list of a preview. */
export const namedKey = z
  .object({
    apikey_id: keyId,
    name: z.string().meta({ description: "Name of the key.", examples: ["production"] }),
  })
  .meta({ id: "NamedApiKey", description: "A key by its id and its name." });

const change = z
  .object({
    parameter: z.enum(LIMIT_NAMES).meta({ description: "The limit that would change.", examples: ["budget"] }),
    before: z
      .array(
        z.object({
          value: value.meta({ description: "A value that it has now; `null` is unset.", examples: [100] }),
          key_count: keyCount.meta({ description: "How many keys have it." }),
          after: value
            .optional()
            .meta({ description: "With a relative change: what it would become.", examples: [120] }),
        }),
      )
      .meta({ description: `The ${VALUES_SHOWN} most frequent values that it has now.` }),
    distinct_count: keyCount.meta({ description: "How many different values it has now.", examples: [1] }),
    unset_count: keyCount.meta({ description: "On how many keys it is unset now.", examples: [0] }),
    after: value.optional().meta({
      description: "The value that it would have; absent with a relative change.",
      examples: [200],
    }),
    change: relativeChange.optional().meta({
      description: "The relative change, where it is one. What becomes of each value stands in `before`.",
      examples: [{ multiply: 1.2 }],
    }),
    changed_count: keyCount.meta({ description: "On how many keys it would change." }),
  })
  .meta({ id: "LimitChange", description: "What would become of one limit." });

/** How many of the models that would come or go a preview names. */
export const MODELS_SHOWN = 100;

const modelCount = z.int().meta({ examples: [23], minimum: 0 });
const changedModels = (meaning: string) =>
  z
    .array(
      z.object({
        name: z.string().meta({ description: "Name of the model, or a pattern.", examples: ["gpt-4o"] }),
        key_count: keyCount.meta({ description: "On how many keys." }),
      }),
    )
    .meta({ description: `${meaning} The first ${MODELS_SHOWN}, those of most keys first.` });

/** What a change of price ceilings would mean for the models of the catalogue. */
const previewOfModels = z
  .object({
    total: modelCount.meta({
      description: "How many models and patterns have a price today.",
      examples: [61],
    }),
    allowed: z
      .object({
        least: modelCount.meta({ description: "On the keys that would allow fewest." }),
        most: modelCount.meta({ description: "On the keys that would allow most." }),
      })
      .meta({ description: "How many of them the price ceilings of a key would allow." }),
    coming_count: modelCount.meta({ description: "How many models more would be allowed.", examples: [0] }),
    coming: changedModels("Models that are not allowed now, and would be."),
    going_count: modelCount.meta({ description: "How many models would no longer be allowed.", examples: [5] }),
    going: changedModels("Models that are allowed now, and would not be."),
  })
  .meta({ description: "Where a price ceiling would be set: which models that means." });

export type PreviewOfModels = z.infer<typeof previewOfModels>;

/** What a change of the limits of many keys would do. Amounts in yuan, prices in yuan per million tokens. */
export const previewOfLimits = z
  .object({
    key_count: keyCount.meta({ description: "How many keys would get the limits." }),
    changes: z.array(change).meta({ description: "Each limit that was sent." }),
    blocked_count: keyCount.meta({
      description: "How many keys that work now would be blocked at once.",
      examples: [0],
    }),
    blocked: z.array(namedKey).meta({ description: `The first ${BLOCKED_SHOWN} of them.` }),
    models: previewOfModels.optional(),
  })
  .meta({ id: "LimitsPreview", description: "With `dry_run`: what would happen." });

export type PreviewOfLimits = z.infer<typeof previewOfLimits>;
