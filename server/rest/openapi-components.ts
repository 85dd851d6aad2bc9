import { type Examples, failureExample, notDefaultKey } from "../endpoint";
import { errors } from "../errors/catalogue";
import { requestErrors } from "../errors/request-errors";
import { MAX_BODY_BYTES } from "./body";
import type { Schema } from "./openapi-schema";

export const SECURITY_SCHEME = "defaultKey";
export const GATEWAY_SCHEME = "gatewayToken";
export const ANY_KEY_SCHEME = "anyKey";

/** The headers of a key's rate limit, where there is one. Of the errors, only that of the limit itself repeats them. */
export const RATE_LIMIT = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;

/** The schema of a body in the shape of every error. */
const ERROR: Schema = { $ref: "#/components/schemas/Error" };

/** What several operations refer to. */
export const COMPONENTS = {
  responses: {
    Unauthorized: {
      ...errorResponse("The key is missing or invalid.", {
        invalidKey: failureExample("No valid key", errors.invalidKey()),
      }),
      headers: headers("Request-Id", "WWW-Authenticate"),
    },
    Forbidden: errorResponse(notDefaultKey.when, notDefaultKey.examples),
    PayloadTooLarge: tooLongResponse(MAX_BODY_BYTES),
    TooManyRequests: {
      ...errorResponse("The account has too many requests under way, or its key has made too many in this minute.", {
        tooManyAtOnce: failureExample("Too many at once", errors.tooManyAtOnce()),
        rateExceeded: failureExample("Too many in this minute", errors.rateExceeded(27)),
      }),
      headers: headers("Request-Id", "Retry-After", ...RATE_LIMIT),
    },
    ServiceUnavailable: {
      ...errorResponse("The database cannot be reached or is too busy.", {
        databaseAway: failureExample("Database away", errors.databaseAway()),
      }),
      headers: headers("Request-Id", "Retry-After"),
    },
  },
  headers: {
    "Request-Id": {
      description: "Identifies this request; the service's log names it too.",
      required: true,
      schema: { type: "string", format: "uuid", examples: ["0b7f6c1e-5d0a-4c55-9f0e-2f4f8a1c7d3b"] },
    },
    "Ignored-Parameters": {
      description:
        "Names of the body's parameters that the operation does not know and therefore ignored: percent-encoded, " +
        "separated by `, `, the first 20. Absent when there are none.",
      schema: { type: "string", examples: ["dayly_limit"] },
    },
    "Retry-After": {
      description: "Seconds to wait before the next attempt. Absent from a refused check where waiting does not help.",
      schema: { type: "integer", format: "int64", minimum: 1, examples: [1] },
    },
    "RateLimit-Limit": {
      description:
        "How many requests the key may make in a minute. Every answer to a valid key has these three, also an error, unless keys have no such limit.",
      schema: { type: "integer", format: "int64", minimum: 1, examples: [600] },
    },
    "RateLimit-Remaining": {
      description: "How many more of them it may make in this minute.",
      schema: { type: "integer", format: "int64", minimum: 0, examples: [0] },
    },
    "RateLimit-Reset": {
      description: "Seconds until the next minute begins.",
      schema: { type: "integer", format: "int64", minimum: 1, examples: [27] },
    },
    "Content-Disposition": {
      description: "That the answer is a file, and its name.",
      required: true,
      schema: { type: "string", examples: ['attachment; filename="history.csv"'] },
    },
    "Allowance-Code": {
      description: "The first obstacle. Absent where it is the gateway itself that was not let in.",
      schema: { type: "string", examples: ["budget"] },
    },
    "WWW-Authenticate": {
      description: "How to authenticate.",
      required: true,
      schema: { type: "string", const: "Bearer", examples: ["Bearer"] },
    },
  },
  securitySchemes: {
    [SECURITY_SCHEME]: { type: "http", scheme: "bearer", description: "The default key of an account." },
    [ANY_KEY_SCHEME]: { type: "http", scheme: "bearer", description: "Any valid key of an account." },
    [GATEWAY_SCHEME]: {
      type: "http",
      scheme: "bearer",
      description:
        "A token of the operator's, from `gateway:create` or `GATEWAY_TOKENS`: good for spend on the keys of the accounts that the gateway serves, and for the models that they may call.",
    },
  },
};

/** The answer to a body that is longer than so many bytes. */
export function tooLongResponse(maxBytes: number): object {
  return errorResponse(`The body is longer than ${maxBytes} bytes.`, {
    tooLong: failureExample("Body too long", requestErrors.bodyTooLong(maxBytes)),
  });
}

/** An answer in the shape of errors. @param schema of its body, where that has more. */
export function errorResponse(
  description: string,
  examples: Examples,
  schema = ERROR,
): { description: string; headers: object; content: object } {
  return {
    description,
    headers: headers("Request-Id"),
    content: { "application/json": { schema, examples } },
  };
}

/** References to shared headers. */
export function headers(...names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
