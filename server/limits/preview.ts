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
  })
  .meta({ id: "LimitsPreview", description: "With `dry_run`: what would happen." });

export type PreviewOfLimits = z.infer<typeof previewOfLimits>;
