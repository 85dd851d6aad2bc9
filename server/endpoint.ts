import type { OpenApiMeta } from "trpc-to-openapi";
import type { ZodObject, ZodType } from "zod";
import { errors } from "./errors/catalogue";
import type { Failure } from "./errors/failure";
import { describeFaults } from "./input/expectation";

/** A section of the API reference. */
export interface Tag {
  name: string;
  description: string;
}

/** Example values for the reference by their names, each with its summary. */
export type Examples = Readonly<Record<string, { summary: string; value: object }>>;

/** One status with which an endpoint fails. */
export interface ErrorAnswer {
  /** When the endpoint answers so. */
  when: string;
  examples: Examples;
  /** Names of headers that this answer alone has. */
  headers?: readonly string[];
  /** The body, where it has more than that of every error. */
  body?: ZodObject;
}

/** Statuses that an endpoint describes itself. Those of every endpoint (401, 403, 413, 503) are described once for all. */
type DescribedStatus = 400 | 401 | 403 | 404 | 409 | 500;

/** One endpoint of the REST API: method, path, and texts for the reference. Its fields are in its schemas. */
export interface Endpoint {
  method: "GET" | "POST";
  /** With its parameters: `/v1/apikeys/{apikey_id}/budget`. */
  path: `/v1/${string}`;
  /** What clients call it: `createApiKey`. Without it, the procedure gives the name: `groups.list` is `listGroups`. */
  operationId?: string;
  tag: Tag;
  summary: string;
  description: string;
  /** Status of success, where it is not 200. */
  status?: 201 | 204;
  /** What success means. */
  success: string;
  /**
   * Examples of bodies, or of headers where the parameters are there. Without them, the reference makes a body from the
   * examples of the fields, and its call has those headers alone that are always required.
   */
  requests?: Examples;
  /** The answer to the first of `requests`, as far as it differs from the examples of the fields. */
  answer?: object;
  errors?: Partial<Record<DescribedStatus, ErrorAnswer>>;
  /**
   * The answer is a file: its possible media types, with an example each. The procedure answers one part of it, with
   * `type`, `name`, `text`, and in `next` what the input `after` of the next part is; `null` after the last one.
   */
  file?: Readonly<Record<string, string>>;
  /** The longest body, in bytes, where it is longer than that of other endpoints. */
  maxBodyBytes?: number;
  /** The parameters, where they are in headers. */
  headers?: ZodObject;
}

/** The metadata of a procedure that the REST API offers. */
export interface EndpointMeta extends OpenApiMeta {
  endpoint?: Endpoint;
}

/** Offers a procedure in the REST API: `.meta(endpoint({ method: "GET", path: "/v1/account", … }))`. */
export function endpoint(described: Endpoint): EndpointMeta {
  const { method, path, headers } = described;
  return { openapi: { method, path, ...(headers && { requestHeaders: headers }) }, endpoint: described };
}

/** An example of a failure: the body of the answer. */
export function failureExample(
  summary: string,
  failure: Failure | string,
): { summary: string; value: { success: false; error: string } } {
  if (typeof failure === "string") return { summary, value: { success: false, error: failure } };
  return { summary, value: { success: false, error: failure.message, ...failure.more } };
}

/**
 * An example of an input that a schema refuses: the body of the answer. It is made when the reference is, because the first
 * parse of each schema takes as long as a tenth of a start.
 * @throws when the value is read, if the schema accepts the input.
 */
export function faultExample(summary: string, schema: ZodType, input: object): ReturnType<typeof failureExample> {
  return {
    summary,
    get value() {
      const { error } = schema.safeParse(input);
      if (!error) throw new Error(`${summary}: the schema accepts ${JSON.stringify(input)}`);
      return failureExample(summary, describeFaults(error.issues)).value;
    },
  };
}

/** The 400 of an endpoint that refuses only what its schema refuses. `input` is an example of that. */
export function wrongInput(schema: ZodType, input: object): ErrorAnswer {
  return {
    when: "A parameter is missing, or has the wrong type or value.",
    examples: { wrongParameter: faultExample("Wrong parameter", schema, input) },
  };
}

/** The 403 of every endpoint that wants the default key. */
export const notDefaultKey: ErrorAnswer = {
  when: "The key is valid but is not the default key of the account.",
  examples: { otherKey: failureExample("Another key", errors.notDefaultKey()) },
};

/** The 403 of such an endpoint that has another reason, too. */
export function alsoForbidden(when: string, examples: Examples): ErrorAnswer {
  return { when: `${notDefaultKey.when} ${when}`, examples: { ...notDefaultKey.examples, ...examples } };
}
