import { z } from "zod";
import { errorBody } from "../errors/error-body";
import { list, success } from "../input/answer";
import { expected, expectedOneOf } from "../input/expectation";
import { rule } from "../input/fault";
import { keyId, wellFormedKeyId } from "../input/key-id";
import { objectId } from "../input/object-id";
import { pageNumber, pageOf, pageSize } from "../input/page";
import { atMost, composedText, freeText } from "../input/text";
import { unixTime } from "../input/unix-time";
import { wholeNumber } from "../input/whole-number";
import { refusalCode } from "../keys/schema";
import { plainNumber, storable } from "../limits/storable";
import { MAX_MODEL_NAME_LENGTH, tokenPrices } from "../prices/schema";

const AUTHORIZATION_STATES = ["held", "captured", "voided", "expired"] as const;

export type AuthorizationState = (typeof AUTHORIZATION_STATES)[number];

/** An amount that is spent, in yuan: 0 costs nothing. Rounded half-even to nine decimals, as limits are. */
const amountOf = (meaning: string, example: number) =>
  storable(
    plainNumber.min(0, { error: "must be 0 or more" }),
    "is too small: it would round to 0; the smallest positive amount is 0.000000001",
  ).meta({ description: meaning, examples: [example] });

const DEFAULT_TTL_SECONDS = 600;
const MAX_TTL_SECONDS = 24 * 60 * 60;
const MAX_REQUEST_ID_LENGTH = 128;
const ACTIVITY_ID = "6920a1f0c3d4e5f60718293b";

const message = z
  .string()
  .meta({ description: "The answer in words, with its numbers.", examples: ["Held 2.5000 yuan."] });
const authorizationId = z.string({ error: expected("string") }).meta({
  description: "Identifier of the authorization.",
  examples: ["6920a1f0c3d4e5f60718293a6920a1f0c3d4e5f60718293b"],
  pattern: "^[0-9a-f]{48}$",
});
const price = (kind: string) =>
  amountOf(`The model's ${kind} price in yuan per million tokens.`, 8)
    .optional()
    .meta({
      description: `The model's ${kind} price in yuan per million tokens. A key with a ceiling for it refuses a price that is not sent.`,
      examples: [8],
    });

const MAX_TOKENS = 1e9;

const tokens = (meaning: string, example: number) =>
  wholeNumber
    .min(0, { error: "must be 0 or more" })
    .max(MAX_TOKENS, { error: `must be ${MAX_TOKENS} or less` })
    .meta({ description: meaning, examples: [example] });

const asked = {
  apikey: z.string({ error: expected("string") }).meta({
    description: "The whole key value, as the gateway received it.",
    examples: ["sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh"],
  }),
  amount: amountOf("The most that the call may cost, in yuan. Either it or `model` is sent.", 2.5).optional(),
  input_price: price("input"),
  output_price: price("output"),
  model: atMost(composedText.min(1, { error: "must not be empty" }), MAX_MODEL_NAME_LENGTH)
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

const keyHash = z
  .string({ error: expected("string") })
  .regex(KEY_HASH_FORM, {
    error: "must be the SHA-256 of a key value, in 64 hexadecimal digits",
  })
  .optional();

/** How a call names its key. */
const named = {
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

/** How a call names its key. Exactly one of the first three is sent. */
export const keyNames = z.object(named);

/** For `.refine`: a call names its key in exactly one way. */
const namesOneKey = ({ apikey, apikey_hash, apikey_id }: z.infer<typeof keyNames>) =>
  [apikey, apikey_hash, apikey_id].filter((name) => name !== undefined).length === 1;

const oneKeyRule = {
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
function askedOneWay(names: AskedNames, scopeName?: string) {
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

const refusalDetails = z.object({
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

/** The numbers of a refusal. */
export type RefusalDetails = z.infer<typeof refusalDetails>;

const refusal = refusalDetails.nullable().meta({
  description:
    "The numbers of the first obstacle, each `null` where it does not apply; `null` where the call is allowed.",
});

const pricesUsed = tokenPrices.nullable().meta({
  description:
    "The prices that are fixed for the authorization, in yuan per million tokens; `null`: it was asked for by an amount, or the model has no price.",
});

const modelUsed = (whose: string) =>
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

const usageUsed = usageValues.nullable().meta({
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

const openAuthorization = z
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

/** What can have become of a call, once it is over. */
export const ACTIVITY_KINDS = ["captured", "refused", "voided", "expired"] as const;

export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** Which activity to list. */
export const listActivityInput = z.object({
  apikey_id: listAuthorizationsInput.shape.apikey_id,
  kind: z
    .enum(ACTIVITY_KINDS, { error: expectedOneOf(ACTIVITY_KINDS) })
    .optional()
    .meta({ description: "Only calls that became this.", examples: ["refused"] }),
  after: objectId.optional().meta({
    description: "`next` of the answer before; the newest calls when it is not sent.",
    examples: [ACTIVITY_ID],
  }),
  page_size: pageSize,
});

const activity = z
  .object({
    id: objectId.meta({ description: "Identifier of the call, unique in the account.", examples: [ACTIVITY_ID] }),
    kind: z.enum(ACTIVITY_KINDS).meta({ description: "What became of the call.", examples: ["captured"] }),
    at: unixTime("When it was asked for"),
    settled_at: unixTime("When it was captured, voided or had expired", 1795219230).nullable(),
    amount: z
      .number()
      .nullable()
      .meta({
        description: "What was asked for, in yuan; `null`: what the call would have cost was unknown.",
        examples: [2.5],
      }),
    model: modelUsed("of the call"),
    usage: usageUsed,
    captured: z
      .number()
      .nullable()
      .meta({ description: "What was captured, in yuan.", examples: [2.1] }),
    overrun: settledAnswer.shape.overrun,
    late: settledAnswer.shape.late,
    code: refusalCode.nullable().meta({ description: "Why it was refused.", examples: [null] }),
    price: refusalDetails.shape.price.meta({
      description:
        "The price that was refused, in yuan per million tokens; `null`: unknown, or it was not refused for a price.",
      examples: [null],
    }),
    ceiling: refusalDetails.shape.ceiling.meta({
      description: "The ceiling of the key at that time; `null`: it was not refused for a price.",
      examples: [null],
    }),
    request_id: openAuthorization.shape.request_id,
    gateway: openAuthorization.shape.gateway,
    authorization_id: authorizationId.nullable().meta({
      description: "Identifier of the authorization; `null`: it was refused.",
      examples: ["6920a1f0c3d4e5f60718293a6920a1f0c3d4e5f60718293b"],
    }),
  })
  .meta({ id: "Activity", description: "A call that is over." });

export type Activity = z.infer<typeof activity>;

/** The next calls of a key, newest first. */
export const activityList = z.object({
  object: list,
  data: z.array(activity).meta({ description: "The calls, newest first." }),
  next: z
    .string()
    .nullable()
    .meta({
      description: "What to send as `after` for the next ones; `null` after the last.",
      examples: [ACTIVITY_ID],
    }),
  retention_days: z
    .int()
    .meta({ description: "For how many days the activity goes back.", examples: [14], minimum: 1 }),
});

/** What a check judges: a call; whether anything is left at all; whether the key is good. */
const CHECK_SCOPES = ["call", "left", "key"] as const;

export type CheckScope = (typeof CHECK_SCOPES)[number];

const scope = z
  .enum(CHECK_SCOPES, { error: expectedOneOf(CHECK_SCOPES) })
  .optional()
  .meta({
    description:
      "What is judged. `call`, which is meant when it is not sent: a call of this amount at these prices. `left`: whether the key is good and anything is left of each limit. `key`: whether the key is good. For the last two, no amount and no price is sent.",
    examples: ["call"],
  });

/** What a check asks. */
export const checkInput = z
  .object({
    ...named,
    scope,
    amount: asked.amount,
    input_price: asked.input_price,
    output_price: asked.output_price,
    model: asked.model,
    input_tokens: asked.input_tokens,
    max_output_tokens: asked.max_output_tokens,
  })
  .refine(namesOneKey, oneKeyRule)
  .check(askedOneWay(IN_BODY, "scope"));

/** The same question in headers, of a proxy that can send nothing else. */
export const checkHeaders = z
  .object({
    "Allowance-Key": z
      .string({ error: expected("string") })
      .optional()
      .meta({
        description:
          "The whole key value as the proxy received it, with or without `Bearer ` before it. None is answered like one that does not exist.",
        examples: ["Bearer sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh"],
      }),
    "Allowance-Key-Hash": keyHash.meta({
      description: "Instead of `Allowance-Key`: the SHA-256 of the whole key value, in 64 hexadecimal digits.",
      examples: ["443f24eb1ef39f1ff204d6b1b8c4cf589ecd27ad7c325b9d2e4c1128f5459e7e"],
    }),
    "Allowance-Scope": scope,
    "Allowance-Amount": asked.amount.meta({
      description: "The most that the call may cost, in yuan. Either it or `Allowance-Model` is sent.",
      examples: [2.5],
    }),
    "Allowance-Input-Price": asked.input_price,
    "Allowance-Output-Price": asked.output_price,
    "Allowance-Model": asked.model.meta({
      description:
        "The model of the call, instead of `Allowance-Amount` and the prices: these come from the catalogue. A name or an alias of it, or what a pattern fits.",
      examples: ["example-large"],
    }),
    "Allowance-Input-Tokens": asked.input_tokens.meta({
      description: "With `Allowance-Model`: how many tokens the input has at most.",
      examples: [1_200],
    }),
    "Allowance-Max-Output-Tokens": asked.max_output_tokens.meta({
      description:
        "With `Allowance-Model`: how many tokens the model may answer with. As many as the catalogue has for the model when it is not sent.",
      examples: [800],
    }),
  })
  .refine((headers) => headers["Allowance-Key"] === undefined || headers["Allowance-Key-Hash"] === undefined, {
    path: ["Allowance-Key"],
    ...rule("exactly_one_of", "exactly one of Allowance-Key and Allowance-Key-Hash is required", {
      names: "Allowance-Key, Allowance-Key-Hash",
    }),
  })
  .check(askedOneWay(IN_HEADERS, "Allowance-Scope"));

const checkedLimit = z
  .object({
    code: refusalCode.meta({ description: "What would be answered if this were the obstacle.", examples: ["budget"] }),
    passes: z.boolean().meta({ description: "Whether the call would pass it.", examples: [false] }),
    limit: z
      .number()
      .nullable()
      .meta({ description: "The limit; `null`: none. Yuan, or for `open_holds` a number of holds.", examples: [100] }),
    spent: z
      .number()
      .nullable()
      .meta({ description: "What was spent of it, in yuan.", examples: [95] }),
    held: z
      .number()
      .nullable()
      .meta({ description: "What is held of it, in yuan.", examples: [4] }),
    available: z
      .number()
      .nullable()
      .meta({ description: "What is left of it, in yuan.", examples: [1] }),
    needed: z
      .number()
      .nullable()
      .meta({
        description:
          "The smallest value of the limit with which the call passes; `null`: it has none, or what the call would cost is unknown.",
        examples: [101.5],
      }),
  })
  .meta({ id: "CheckedLimit", description: "A limit with its numbers." });

export type CheckedLimit = z.infer<typeof checkedLimit>;

/** Answer of a check: each limit, the first obstacle, and the smallest change that removes it. */
export const checkAnswer = z
  .object({
    success,
    allowed: z.boolean().meta({ description: "Whether the call would be allowed now.", examples: [false] }),
    code: refusalCode.nullable().meta({ description: "The first obstacle.", examples: ["budget"] }),
    message,
    apikey_id: keyId.nullable(),
    limits: z
      .array(checkedLimit)
      .meta({ description: "Every limit that is judged, with its numbers, in the order in which they are checked." }),
    refusal,
    change: z
      .string()
      .nullable()
      .meta({
        description: "The smallest change that removes the first obstacle.",
        examples: ["Raise the total budget from 100.0000 to 101.5000 yuan."],
      }),
  })
  .meta({ id: "Check" });

export type CheckAnswer = z.infer<typeof checkAnswer>;

/** The body of a refused check by headers. */
export const refusedCheck = errorBody
  .extend({
    code: refusalCode.optional().meta({
      description: "The first obstacle. Absent where it is the gateway itself that was not let in.",
      examples: ["budget"],
    }),
    refusal: refusalDetails.optional().meta({ description: "The numbers of it. Absent likewise." }),
  })
  .meta({ id: "RefusedCheck", description: "Why a call would not be authorized." });
