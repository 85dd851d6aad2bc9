import { z } from "zod";
import { list } from "../input/answer";
import { objectId } from "../input/object-id";
import { freeText } from "../input/text";
import { unixTime } from "../input/unix-time";
import { SOURCES, yuanPrices } from "../prices/schema";

/** Path of the models of a key. */
export const modelsOfKeyInput = z.object({
  apikey_id: freeText.meta({ description: "The first 10 characters of the key value.", examples: ["sk-AbC1234"] }),
  account_id: objectId.optional().meta({
    description: "The account of the key. Required with a gateway's token, which names no account.",
    examples: ["6920a1f0c3d4e5f60718293a"],
  }),
});

const owner = z.enum(SOURCES).meta({
  description: "Whose catalogue has the price.",
  examples: ["operator"],
});
const maxOutputTokens = z
  .int()
  .nullable()
  .meta({ description: "The most tokens that the model answers with; `null`: unknown.", examples: [16384] });
const modelName = (description: string) => z.string().meta({ description, examples: ["gpt-4o"] });
const count = (description: string, example: number) => z.int().meta({ description, examples: [example], minimum: 0 });

/** Why a key may call no model, whatever its ceilings allow, in the order in which the reasons are judged. */
const NO_MODEL_REASONS = ["account_disabled", "key_disabled", "key_expired"] as const;

/** The models that a key may call now, in the form of OpenAI's list of models. */
export const modelsOfKey = z.object({
  object: list,
  data: z
    .array(
      z
        .object({
          id: modelName("A name or an alias with which a call names the model."),
          object: z.literal("model").meta({ description: "The value `model`.", examples: ["model"] }),
          created: unixTime("The beginning of the first day of the price"),
          owned_by: owner,
          prices: yuanPrices,
          max_output_tokens: maxOutputTokens,
        })
        .meta({ id: "AllowedModel", description: "A model that a key may call." }),
    )
    .meta({ description: "The models that the key may call, by name." }),
  patterns: z
    .array(
      z.object({
        pattern: z.string().meta({
          description: "A pattern, in which `*` stands for any characters.",
          examples: ["gpt-4o*"],
        }),
        owned_by: owner,
        prices: yuanPrices,
        max_output_tokens: maxOutputTokens,
      }),
    )
    .meta({
      description:
        "The patterns that the ceilings allow: the key may call each model that matches one and has no price of its own.",
    }),
  allowed: count("How many models and patterns these are. An alias does not count by itself.", 23),
  total: count("How many models and patterns have a price today.", 61),
  reason: z
    .enum(NO_MODEL_REASONS)
    .nullable()
    .meta({
      description: "Why the key may call none, whatever its ceilings allow; `null` where its ceilings decide.",
      examples: ["key_disabled"],
    }),
});

/** What counts today in the catalogue of the account. */
export const modelsInForce = z.object({
  object: list,
  data: z
    .array(
      z.object({
        name: modelName("The name of the model, or a pattern in which `*` stands for any characters."),
        aliases: z.array(z.string()).meta({ description: "Other names of it.", examples: [["gpt-4o-2024-11-20"]] }),
        source: owner,
        prices: yuanPrices,
        max_output_tokens: maxOutputTokens,
      }),
    )
    .meta({ description: "Every model and pattern that has a price today, by name." }),
});

export type ModelInForce = z.infer<typeof modelsInForce>["data"][number];
