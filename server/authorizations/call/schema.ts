import { z } from "zod";
import { expected } from "@/server/input/expectation";
import { rule } from "@/server/input/fault";
import { keyId } from "@/server/input/key-id";
import { objectId } from "@/server/input/object-id";
import { atMost, composedText } from "@/server/input/text";
import { wholeNumber } from "@/server/input/whole-number";
import { plainNumber, storable } from "@/server/limits/storable";
import { MAX_MODEL_NAME_LENGTH } from "@/server/prices/schema";

/** An amount that is spent, in yuan: 0 costs nothing. Rounded half-even to nine decimals, as limits are. */
export const amountOf = (meaning: string, example: number) =>
  storable(
    plainNumber.min(0, { error: "must be 0 or more" }),
    "is too small: it would round to 0; the smallest positive amount is 0.000000001",
  ).meta({ description: meaning, examples: [example] });

const price = (kind: string) =>
  amountOf(`The model's ${kind} price in yuan per million tokens.`, 8)
    .optional()
    .meta({
      description: `The model's ${kind} price in yuan per million tokens. A key with a ceiling for it refuses a price that is not sent.`,
      examples: [8],
    });

const MAX_TOKENS = 1e9;

/** A number of tokens. */
export const tokens = (meaning: string, example: number) =>
  wholeNumber
    .min(0, { error: "must be 0 or more" })
    .max(MAX_TOKENS, { error: `must be ${MAX_TOKENS} or less` })
    .meta({ description: meaning, examples: [example] });

/** The parameters of a call: the value of its key, and an amount with its prices or a model with its tokens. */
export const asked = {
  apikey: z.string({ error: expected("string") }).meta({
    description: "The whole key value, as the gateway received it.",
    examples: ["sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh"],
  }),
  amount: amountOf("The most that the call may cost, in yuan. Either it or `model` is sent.", 2.5).optional(),
  input_price: price("input"),
  output_price: price("output"),
  model: atMost(composedText(MAX_MODEL_NAME_LENGTH).min(1, { error: "must not be empty" }), MAX_MODEL_NAME_LENGTH)
    .optional()
    .meta({
      description:
        "The model of the call, instead of `amount` and the prices: these come from the catalogue. A name or an alias of it, or what a pattern fits.",
      examples: ["example-large"],
    }),
  input_tokens: tokens("With `model`: how many tokens the input has at most.", 1_200).optional(),
  max_output_tokens: tokens(
    "With `model`: how many tokens the model may answer with. As many as the catalogue has for the model when it is not sent.",
    800,
  ).optional(),
};

const KEY_HASH_FORM = /^[0-9a-fA-F]{64}$/;

/** The SHA-256 of a key value, in place of the value. */
export const keyHash = z
  .string({ error: expected("string") })
  .regex(KEY_HASH_FORM, {
    error: "must be the SHA-256 of a key value, in 64 hexadecimal digits",
  })
  .optional();

/** How a call names its key. Exactly one of the first three is sent. */
export const named = {
  apikey: asked.apikey.optional(),
  apikey_hash: keyHash.meta({
    description: "Instead of the value: its SHA-256, of the whole value, in 64 hexadecimal digits.",
    examples: ["443f24eb1ef39f1ff204d6b1b8c4cf589ecd27ad7c325b9d2e4c1128f5459e7e"],
  }),
  apikey_id: keyId.optional().meta({
    description:
      "Instead of the value: the id of the key, whatever its value is. With a gateway's token, `account_id` goes with it.",
  }),
  account_id: objectId.optional().meta({
    description:
      "The account of the key. Required with `apikey_id` and a gateway's token. A key of another account counts as one that does not exist.",
    examples: ["6920a1f0c3d4e5f60718293a"],
  }),
};

/** `named` as a schema. */
export const keyNames = z.object(named);

/** For `.refine`: a call names its key in exactly one way. */
export const namesOneKey = ({ apikey, apikey_hash, apikey_id }: z.infer<typeof keyNames>) =>
  [apikey, apikey_hash, apikey_id].filter((name) => name !== undefined).length === 1;

/** What is said of a call that does not, and at which parameter. */
export const oneKeyRule = {
  path: ["apikey"],
  ...rule("exactly_one_of", "exactly one of apikey, apikey_hash and apikey_id is required", {
    names: "apikey, apikey_hash, apikey_id",
  }),
};

/** How a call may be asked for: the parameter of the amount, and of the model, each with those that go with it alone. */
export interface AskedNames {
  amount: string;
  ofAmount: readonly string[];
  model: string;
  inputTokens: string;
  maxOutputTokens: string;
}

export const IN_BODY: AskedNames = {
  amount: "amount",
  ofAmount: ["input_price", "output_price"],
  model: "model",
  inputTokens: "input_tokens",
  maxOutputTokens: "max_output_tokens",
};

export const IN_HEADERS: AskedNames = {
  amount: "Allowance-Amount",
  ofAmount: ["Allowance-Input-Price", "Allowance-Output-Price"],
  model: "Allowance-Model",
  inputTokens: "Allowance-Input-Tokens",
  maxOutputTokens: "Allowance-Max-Output-Tokens",
};

/**
 * A check of zod: a call is asked for either by an amount, or by a model and its tokens. A question that judges no call has
 * nothing of them, so that a caller whose headers a proxy lets through cannot narrow it.
 * @param scopeName the parameter with the scope, of a check.
 */
export function askedOneWay(names: AskedNames, scopeName?: string) {
  return ({ value, issues }: z.core.ParsePayload<object>): void => {
    const sent = value as Record<string, unknown>;
    const isSent = (name: string) => sent[name] !== undefined;
    const refuse = (path: string, { error, params }: ReturnType<typeof rule>) => {
      issues.push({ code: "custom", path: [path], message: error, params, input: value });
    };
    const scope = scopeName === undefined ? undefined : sent[scopeName];
    if (scope !== undefined && scope !== "call") {
      const unjudged = rule("not_accepted", `is not judged with the scope ${scope}; leave it out`);
      for (const name of Object.values(names).flat()) if (isSent(name)) refuse(name, unjudged);
      return;
    }
    const { amount, ofAmount, model, inputTokens, maxOutputTokens } = names;
    if (isSent(amount) === isSent(model)) {
      const sentence = `exactly one of ${amount} and ${model} is required`;
      refuse(amount, rule("exactly_one_of", sentence, { names: `${amount}, ${model}` }));
      return;
    }
    if (isSent(model) && !isSent(inputTokens)) {
      refuse(inputTokens, rule("required_with", `is required with ${model}`, { name: model }));
    }
    const other = isSent(model) ? model : amount;
    for (const name of isSent(model) ? ofAmount : [inputTokens, maxOutputTokens]) {
      if (isSent(name)) refuse(name, rule("not_with", `must not be sent with ${other}`, { name: other }));
    }
  };
}
