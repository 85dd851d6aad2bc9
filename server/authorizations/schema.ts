import { z } from "zod";
import { success } from "../input/answer";
import { expected } from "../input/expectation";
import { rule } from "../input/fault";
import { keyId, wellFormedKeyId } from "../input/key-id";
import { pageNumber, pageOf, pageSize } from "../input/page";
import { atMost, freeText } from "../input/text";
import { unixTime } from "../input/unix-time";
import { wholeNumber } from "../input/whole-number";
import { refusalCode } from "../keys/schema";
import { tokenPrices } from "../prices/schema";
import { amountOf, asked, askedOneWay, IN_BODY, named, namesOneKey, oneKeyRule, tokens } from "./call/schema";

const AUTHORIZATION_STATES = ["held", "captured", "voided", "expired"] as const;

export type AuthorizationState = (typeof AUTHORIZATION_STATES)[number];

const DEFAULT_TTL_SECONDS = 600;
const MAX_TTL_SECONDS = 24 * 60 * 60;
const MAX_REQUEST_ID_LENGTH = 128;

/** What an answer says in words. */
export const message = z
  .string()
  .meta({ description: "The answer in words, with its numbers.", examples: ["Held 2.5000 yuan."] });

/** The id of an authorization: that of its account, and then its own. */
export const authorizationId = z.string({ error: expected("string") }).meta({
  description: "Identifier of the authorization.",
  examples: ["6920a1f0c3d4e5f60718293a6920a1f0c3d4e5f60718293b"],
  pattern: "^[0-9a-f]{48}$",
});

/** Body of an authorization. */
export const authorizeInput = z
  .object({
    ...asked,
    ...named,
    request_id: atMost(freeText.min(1, { error: "must not be empty" }), MAX_REQUEST_ID_LENGTH)
      .optional()
      .meta({
        description:
          "A name of your own for the call, never used before on this key. The same one again gives the same authorization while that is held, and 409 afterwards.",
        examples: ["req-7f3a"],
      }),
    ttl_seconds: wholeNumber
      .min(1, { error: "must be 1 or more" })
      .max(MAX_TTL_SECONDS, { error: `must be ${MAX_TTL_SECONDS} (24 hours) or less` })
      .default(DEFAULT_TTL_SECONDS)
      .meta({
        description: `For how many seconds the amount is held. ${DEFAULT_TTL_SECONDS} when it is not sent.`,
        examples: [DEFAULT_TTL_SECONDS],
      }),
  })
  .refine(namesOneKey, oneKeyRule)
  .check(askedOneWay(IN_BODY));

const left = (of: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `What is left of the ${of} in yuan; \`null\`: no limit.`, examples: [47.5] });

const available = z
  .object({ budget: left("total budget"), daily: left("day's limit"), monthly: left("month's limit") })
  .meta({
    id: "AvailableAfter",
    description: "What is left after this answer: limit − spent − held. All `null` where there is no such key.",
  });

/** The numbers of a refusal. */
export const refusalDetails = z.object({
  limit: z
    .number()
    .nullable()
    .meta({ description: "The limit in yuan, or for `open_holds` the most authorizations.", examples: [50] }),
  available: z
    .number()
    .nullable()
    .meta({ description: "What is left of it. It may be below 0.", examples: [1.5] }),
  resets_at: unixTime("When the limit begins anew, or for `open_holds` the first hold ends").nullable().meta({
    description:
      "When waiting helps: the beginning of the next day or month, or for `open_holds` the end of the first hold, in whole seconds since 1970 (UTC). `null`: only a change helps.",
  }),
  price: z
    .number()
    .nullable()
    .meta({ description: "The price that is refused, in yuan per million tokens; `null`: unknown.", examples: [9] }),
  ceiling: z
    .number()
    .nullable()
    .meta({ description: "The highest price that the key allows, in yuan per million tokens.", examples: [8] }),
});

export type RefusalDetails = z.infer<typeof refusalDetails>;

/** The same in an answer that may allow the call. */
export const refusal = refusalDetails.nullable().meta({
  description:
    "The numbers of the first obstacle, each `null` where it does not apply; `null` where the call is allowed.",
});

const pricesUsed = tokenPrices.nullable().meta({
  description:
    "The prices that are fixed for the authorization, in yuan per million tokens; `null`: it was asked for by an amount, or the model has no price.",
});

/** The model of a call. */
export const modelUsed = (whose: string) =>
  z
    .string()
    .nullable()
    .meta({
      description: `The model ${whose}, by its name in the catalogue; \`null\`: it was asked for by an amount.`,
      examples: ["example-large"],
    });

/** Answer of an authorization, allowed or refused. */
export const authorizationAnswer = z
  .object({
    success,
    allowed: z.boolean().meta({ description: "Whether the call may be made.", examples: [true] }),
    code: refusalCode.nullable().meta({ description: "Why it is refused: the first obstacle.", examples: [null] }),
    message,
    authorization_id: authorizationId
      .nullable()
      .meta({ description: "Identifier of the authorization; `null`: the call is refused." }),
    apikey_id: keyId.nullable().meta({ description: "Identifier of the key; `null`: there is no such key." }),
    amount: z
      .number()
      .nullable()
      .meta({
        description:
          "What was asked for, in yuan; `null`: what the call would cost is unknown, or there is no such key.",
        examples: [2.5],
      }),
    model: modelUsed("of the call"),
    prices: pricesUsed,
    expires_at: unixTime("When the hold ends by itself", 1795219800).nullable(),
    available,
    refusal,
    replayed: z
      .literal(true)
      .optional()
      .meta({ description: "Only in the answer to a repeated `request_id`: nothing more is held.", examples: [true] }),
  })
  .meta({ id: "Authorization", description: "Whether a call may be made, and what is held for it." });

const usageValues = z.object(
  {
    input_tokens: tokens("All tokens of the input, the cached ones among them.", 1_150),
    cached_input_tokens: tokens("Tokens of the input that the model has read before. 0 when it is not sent.", 1_000),
    output_tokens: tokens("Tokens of the answer.", 640),
  },
  { error: expected("object") },
);

const usage = usageValues
  .extend({ cached_input_tokens: usageValues.shape.cached_input_tokens.default(0) })
  // No input has less than 0 tokens, and cached ones that are not sent are 0.
  .refine(({ input_tokens: all, cached_input_tokens: cached }) => cached <= Math.max(0, all), {
    path: ["cached_input_tokens"],
    ...rule("more_than_all", "must not be more than input_tokens, which they are part of", { name: "input_tokens" }),
  });

/** Path and body of a capture. */
export const captureInput = z
  .object({
    authorization_id: authorizationId,
    amount: amountOf(
      "What the call really cost, in yuan. More than was held is recorded whole. Either it or `usage` is sent.",
      2.1,
    ).optional(),
    usage: usage.optional().meta({
      description:
        "The tokens of the call, of an authorization by model: they cost what they did when it was authorized.",
    }),
  })
  .refine(({ amount, usage }) => (amount === undefined) !== (usage === undefined), {
    path: ["amount"],
    ...rule("exactly_one_of", "exactly one of amount and usage is required", { names: "amount, usage" }),
  });

/** The tokens of a capture. */
export const usageUsed = usageValues.nullable().meta({
  description: "The tokens that it was captured with; `null`: it was captured with an amount, or not at all.",
});

/** Path of a void. */
export const voidInput = z.object({ authorization_id: authorizationId });

/** Answer of a capture or a void. */
export const settledAnswer = z
  .object({
    success,
    message: message.meta({ examples: ["Captured 2.1000 yuan."] }),
    authorization_id: authorizationId,
    state: z.enum(AUTHORIZATION_STATES).meta({ description: "What the authorization is now.", examples: ["captured"] }),
    amount: z
      .number()
      .nullable()
      .meta({ description: "What was captured, in yuan.", examples: [2.1] }),
    usage: usageUsed,
    prices: pricesUsed,
    overrun: z.boolean().meta({ description: "More was captured than was held.", examples: [false] }),
    late: z.boolean().meta({ description: "It was captured after the hold had ended.", examples: [false] }),
  })
  .meta({ id: "SettledAuthorization" });

export type SettledAnswer = z.infer<typeof settledAnswer>;

/** Which open authorizations to list. */
export const listAuthorizationsInput = z.object({
  apikey_id: wellFormedKeyId,
  page: pageNumber,
  page_size: pageSize,
});

/** An open authorization. */
export const openAuthorization = z
  .object({
    authorization_id: authorizationId,
    request_id: z
      .string()
      .nullable()
      .meta({ description: "What the caller calls it.", examples: ["req-7f3a"] }),
    gateway: z
      .string()
      .nullable()
      .meta({
        description: "The name of the gateway that asked for it; `null`: the account itself.",
        examples: ["eu-1"],
      }),
    amount: z.number().meta({ description: "What is held, in yuan.", examples: [2.5] }),
    model: modelUsed("of the call"),
    input_tokens: z
      .int()
      .nullable()
      .meta({
        description: "How many tokens the input has at most; `null`: it was asked for by an amount.",
        examples: [1_200],
      }),
    max_output_tokens: z
      .int()
      .nullable()
      .meta({ description: "How many tokens the model may answer with; `null` likewise.", examples: [800] }),
    created_at: unixTime("Time of the authorization"),
    expires_at: unixTime("When the hold ends by itself", 1795219800),
  })
  .meta({ id: "OpenAuthorization", description: "An amount that is held." });

export type OpenAuthorization = z.infer<typeof openAuthorization>;

/** A page of open authorizations. */
export const authorizationList = pageOf(
  openAuthorization,
  "The open authorizations of this page, newest first.",
).extend({
  max_open_holds: z
    .int()
    .meta({ description: "How many authorizations of one key may be open at a time.", examples: [1000], minimum: 1 }),
});
