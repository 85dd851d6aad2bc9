import { z } from "zod";
import { errorBody } from "@/server/errors/error-body";
import { success } from "@/server/input/answer";
import { expected, expectedOneOf } from "@/server/input/expectation";
import { rule } from "@/server/input/fault";
import { keyId } from "@/server/input/key-id";
import { refusalCode } from "@/server/keys/schema";
import { asked, askedOneWay, IN_BODY, IN_HEADERS, keyHash, named, namesOneKey, oneKeyRule } from "../call/schema";
import { message, refusal, refusalDetails } from "../schema";

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
