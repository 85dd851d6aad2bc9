import { z } from "zod";
import { list, success } from "../input/answer";
import { expected } from "../input/expectation";
import { rule } from "../input/fault";
import { keyId, wellFormedKeyId } from "../input/key-id";
import { objectId } from "../input/object-id";
import { pageNumber, pageOf, pageSize } from "../input/page";
import { freeText } from "../input/text";
import { unixTime } from "../input/unix-time";
import { refusalCode } from "../keys/schema";
import { MAX_AMOUNT, roundAmount, roundsToZero } from "../limits/amount";

const AUTHORIZATION_STATES = ["held", "captured", "voided", "expired"] as const;

export type AuthorizationState = (typeof AUTHORIZATION_STATES)[number];

/** An amount that is spent, in yuan: 0 costs nothing. Rounded half-even to nine decimals, as limits are. */
const amountOf = (meaning: string, example: number) =>
  z
    .number({ error: expected("number (int or float)") })
    .min(0, { error: "must be 0 or more" })
    .max(MAX_AMOUNT, { error: "must be 1e15 or less" })
    .refine(
      (value) => !roundsToZero(value),
      rule("rounds_to_zero", "is too small: it would round to 0; the smallest positive amount is 0.000000001"),
    )
    .overwrite(roundAmount)
    .meta({ description: meaning, examples: [example] });

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

const asked = {
  apikey: z.string({ error: expected("string") }).meta({
    description: "The whole key value, as the gateway received it.",
    examples: ["sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh"],
  }),
  amount: amountOf("The most that the call may cost, in yuan.", 2.5),
  input_price: price("input"),
  output_price: price("output"),
};

/** Body of an authorization. */
export const authorizeInput = z.object({
  ...asked,
  request_id: freeText
    .min(1, { error: "must not be empty" })
    .max(MAX_REQUEST_ID_LENGTH, { error: `must be at most ${MAX_REQUEST_ID_LENGTH} characters long` })
    .optional()
    .meta({
      description:
        "A name of your own for the call, never used before on this key. The same one again gives the same authorization while that is held, and 409 afterwards.",
      examples: ["req-7f3a"],
    }),
  ttl_seconds: z
    .number({ error: expected("number (int)") })
    .int({ error: "must be a whole number" })
    .min(1, { error: "must be 1 or more" })
    .max(MAX_TTL_SECONDS, { error: `must be ${MAX_TTL_SECONDS} (24 hours) or less` })
    .default(DEFAULT_TTL_SECONDS)
    .meta({
      description: `For how many seconds the amount is held. ${DEFAULT_TTL_SECONDS} when it is not sent.`,
      examples: [DEFAULT_TTL_SECONDS],
    }),
});

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
    amount: z.number().meta({ description: "What was asked for, in yuan.", examples: [2.5] }),
    expires_at: unixTime("When the hold ends by itself", 1795219800).nullable(),
    available,
    replayed: z
      .literal(true)
      .optional()
      .meta({ description: "Only in the answer to a repeated `request_id`: nothing more is held.", examples: [true] }),
  })
  .meta({ id: "Authorization", description: "Whether a call may be made, and what is held for it." });

/** Path and body of a capture. */
export const captureInput = z.object({
  authorization_id: authorizationId,
  amount: amountOf("What the call really cost, in yuan. More than was held is recorded whole.", 2.1),
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
    .enum(ACTIVITY_KINDS, { error: `must be one of ${ACTIVITY_KINDS.join(", ")}` })
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
    amount: z.number().meta({ description: "What was asked for, in yuan.", examples: [2.5] }),
    captured: z
      .number()
      .nullable()
      .meta({ description: "What was captured, in yuan.", examples: [2.1] }),
    overrun: settledAnswer.shape.overrun,
    late: settledAnswer.shape.late,
    code: refusalCode.nullable().meta({ description: "Why it was refused.", examples: [null] }),
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

/** What a check asks: a key by its value or, for the account it belongs to, by its id. */
export const checkInput = z
  .object({
    apikey: asked.apikey.optional(),
    apikey_id: keyId.optional().meta({ description: "The key by its id, instead of its value." }),
    amount: asked.amount,
    input_price: asked.input_price,
    output_price: asked.output_price,
  })
  .refine(({ apikey, apikey_id }) => (apikey === undefined) !== (apikey_id === undefined), {
    path: ["apikey"],
    ...rule("exactly_one_of", "exactly one of apikey and apikey_id is required", { names: "apikey, apikey_id" }),
  });

/** The same question in headers, of a proxy that can send nothing else. */
export const checkHeaders = z.object({
  "Allowance-Key": z
    .string({ error: expected("string") })
    .optional()
    .meta({
      description:
        "The whole key value as the proxy received it, with or without `Bearer ` before it. None is answered like one that does not exist.",
      examples: ["Bearer sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh"],
    }),
  "Allowance-Amount": asked.amount,
  "Allowance-Input-Price": asked.input_price,
  "Allowance-Output-Price": asked.output_price,
});

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
      .meta({ description: "The smallest value of the limit with which the call passes.", examples: [101.5] }),
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
      .meta({ description: "Every limit with its numbers, in the order in which they are checked." }),
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
