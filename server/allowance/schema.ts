import { z } from "zod";
import { modelsOfKey } from "../ceilings/schema";
import { keyId } from "../input/key-id";
import { unixTime } from "../input/unix-time";
import { limitValues } from "../limits/schema";

const yuan = (meaning: string, example: number) => z.number().meta({ description: meaning, examples: [example] });

const window = z
  .object({
    limit: yuan("The limit in yuan; `null`: none.", 50).nullable(),
    spent: yuan("What is spent of it, in yuan.", 10),
    held: yuan("What open authorizations hold of it, in yuan.", 2.5),
    available: yuan(
      "What is left, in yuan: limit − spent − held. It may be below 0; `null`: no limit.",
      37.5,
    ).nullable(),
    resets_at: unixTime("When it begins anew").nullable().meta({
      description: "When it begins anew, in whole seconds since 1970 (UTC); `null`: never.",
    }),
  })
  .meta({ id: "AllowanceWindow", description: "What is spent, held and left of one limit." });

const pattern = modelsOfKey.shape.patterns.element.shape;
const cost = { prices: pattern.prices, max_output_tokens: pattern.max_output_tokens };

/** What one key may spend and call. */
export const allowance = z.object({
  apikey_id: keyId,
  name: z.string().meta({ description: "Label of the key.", examples: ["production"] }),
  ...limitValues,
  windows: z.object({ budget: window, daily: window, monthly: window }).meta({
    description:
      "What is spent, held and left: ever, today, this month. Days and months are those of the account's time zone.",
  }),
  models: z
    .array(
      z.object({
        name: z.string().meta({ description: "A name with which a call names the model.", examples: ["gpt-4o"] }),
        ...cost,
      }),
    )
    .meta({ description: "The models that the key may call: none of their prices is above its ceiling." }),
  model_patterns: z
    .array(z.object({ pattern: pattern.pattern, ...cost }))
    .meta({ description: "The same of patterns: each model that matches one and has no price of its own." }),
});
