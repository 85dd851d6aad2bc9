import type { OpenAPIObject } from "trpc-to-openapi";
import { license, version } from "../../package.json";
import { appRouter } from "../router";
import { MAX_BODY_BYTES } from "./body";
import { collectRoutes, type Route } from "./routes";

/**
 * The description of the REST door that `/openapi.json` serves, in OpenAPI 3.1. Its fields, rules and words are the
 * procedures' own; what the generator says otherwise than the contract, or can't know, is put right here.
 */
export function apiDocument(): Promise<string> {
  document ??= describeApi().then((described) => JSON.stringify(described, null, 2));
  return document;
}

let document: Promise<string> | undefined;

const DESCRIPTION = `Allowance manages API keys, the groups they belong to, and their limits.

**Authorization.** Every request carries the default key of an account: \`Authorization: Bearer <API_KEY>\`. An account
and its default key come from the machine that runs the service:
\`npm run -s account:create -- --email owner@example.com\`. The keys created here are refused with 403.

**Limits.** Amounts are in yuan, prices in yuan per million tokens. 0 means no limit. In an answer, \`null\` means not set.
Amounts are kept to nine decimals; a positive one so small that it would become 0 is refused.

**Unknown parameters** in a body are ignored. Their names come back in the header \`Ignored-Parameters\`.

**Errors** have one shape: \`{"success": false, "error": "…"}\`. The text names each parameter at fault.`;

const SECURITY_SCHEME = "defaultKey";

/** An example answer or request, with the line that introduces it in the reference. */
type Examples = Record<string, { summary: string; value: unknown }>;

/** What the metadata of a procedure does not hold: examples that fit together, and the errors that the contract names. */
interface OperationFacts {
  success: string;
  request?: Examples;
  response: object;
  errors: { 400?: Fault; 404?: Fault; 500?: Fault };
}

interface Fault {
  when: string;
  examples: Examples;
}

const NOTHING_SET = {
  budget: null,
  expiry_date: null,
  daily_limit: null,
  monthly_limit: null,
  input_price_limit: null,
  output_price_limit: null,
};

const ACCOUNT = {
  account_id: "6920a1f0c3d4e5f60718293a",
  email: "owner@example.com",
  time_zone: "Asia/Shanghai",
  language: null,
  two_factor_enabled: false,
  created_at: 1795219200,
};

const NO_LIMIT_GIVEN = failure(
  "No limit parameter",
  "at least one limit parameter is required: budget, expiry_date, daily_limit, monthly_limit, input_price_limit, output_price_limit",
);
const WRONG_TYPE = failure("Wrong type", "budget: expected number (int or float), received string");
const NEGATIVE = failure("Negative value", "budget: must be 0 or more; 0 means no limit");
const WRONG_DATE_FORMAT = failure("Wrong date format", "expiry_date: must be a date in the format YYYY-MM-DD");

const FACTS: Record<string, OperationFacts> = {
  "keys.create": {
    success: "The key has been created.",
    request: {
      limited: {
        summary: "With limits",
        value: { name: "production", budget: 1000, daily_limit: 50, expiry_date: "2027-12-31" },
      },
      unlimited: { summary: "Without limits", value: { name: "production" } },
      grouped: {
        summary: "In a group",
        value: { name: "production", group_id: "6920a1f0c3d4e5f60718293a", monthly_limit: 500 },
      },
    },
    response: {
      success: true,
      message: "API key created.",
      apikey: "sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh",
      name: "production",
      group_id: null,
      ...NOTHING_SET,
      budget: 1000,
      expiry_date: "2027-12-31",
      daily_limit: 50,
    },
    errors: {
      400: {
        when:
          "`name` is missing, empty or longer than 128 characters; a parameter has the wrong type; `group_id` is not a " +
          "valid ObjectId or names no existing group; a limit is negative or not a number; `expiry_date` is not a date " +
          "in the format YYYY-MM-DD.",
        examples: {
          wrongType: WRONG_TYPE,
          nameEmpty: failure("Empty name", "name: must not be empty"),
          noSuchGroup: failure("Unknown group", "group_id: names no existing group"),
        },
      },
      500: {
        when: "The creation failed inside the service.",
        examples: {
          creationFailed: failure(
            "Creation failed",
            "creation failed: the API key was not created because of an internal failure",
          ),
        },
      },
    },
  },
  "keys.setLimits": {
    success: "The limits have been set. The answer holds all six as they stand now.",
    request: {
      limits: {
        summary: "Set limits and an expiry date",
        value: { budget: 1000, daily_limit: 50, expiry_date: "2027-12-31" },
      },
      noLimit: { summary: "Lift one limit, clear the expiry date", value: { budget: 0 } },
    },
    response: {
      success: true,
      message: "Limits of sk-AbC1234 updated: budget 1000.0000 yuan, expiry date 2027-12-31, daily limit 50.0000 yuan.",
      ...NOTHING_SET,
      budget: 1000,
      expiry_date: "2027-12-31",
      daily_limit: 50,
    },
    errors: {
      400: {
        when:
          "No limit parameter is given; a parameter has the wrong type; a limit is negative; `expiry_date` is not a date " +
          "in the format YYYY-MM-DD.",
        examples: {
          noLimitGiven: NO_LIMIT_GIVEN,
          wrongType: WRONG_TYPE,
          negative: NEGATIVE,
          wrongDateFormat: WRONG_DATE_FORMAT,
        },
      },
      404: {
        when: "The key does not exist.",
        examples: { noSuchKey: failure("Unknown key", "apikey_id: the API key does not exist") },
      },
    },
  },
  "accounts.me": {
    success: "The account that the default key belongs to.",
    response: ACCOUNT,
    errors: {},
  },
  "accounts.updateSettings": {
    success: "The settings have been changed. The answer holds the account as it stands now.",
    request: {
      timeZone: { summary: "Another time zone", value: { time_zone: "Asia/Shanghai" } },
      language: { summary: "The language of the browser", value: { language: null } },
    },
    response: ACCOUNT,
    errors: {
      400: {
        when: "No setting is given; `time_zone` is no time zone of the IANA list; `language` is not one of the dashboard's.",
        examples: {
          noSettingGiven: failure("No setting", "at least one setting is required: time_zone, language"),
          noTimeZone: failure("No time zone", "time_zone: must be an IANA time zone, for example Asia/Shanghai"),
        },
      },
    },
  },
  "groups.create": {
    success: "The group has been created.",
    request: {
      described: {
        summary: "With a description",
        value: { name: "Research", description: "Keys of the research team" },
      },
      plain: { summary: "Without a description", value: { name: "Research" } },
    },
    response: {
      success: true,
      message: 'Group "Research" created.',
      group_id: "6920a1f0c3d4e5f60718293a",
      group_name: "Research",
    },
    errors: {
      400: {
        when: "A group of this name already exists; `name` is missing, empty or longer than 128 characters; a parameter has the wrong type.",
        examples: {
          nameTaken: failure("Name already exists", "name: a group of this name already exists"),
          nameTooLong: failure("Name too long", "name: must be at most 128 characters long"),
          wrongType: failure("Wrong type", "name: expected string, received number"),
        },
      },
    },
  },
  "groups.list": {
    success: "Every group of the account, newest first.",
    response: {
      object: "list",
      data: [
        {
          id: "6920a1f0c3d4e5f60718293a",
          name: "Research",
          description: "Keys of the research team",
          created_at: 1795219200,
          updated_at: 1795219200,
          apikey_count: 3,
        },
      ],
    },
    errors: {},
  },
  "groups.setLimits": {
    success: "The limits have been set on every key of the group.",
    request: {
      limits: { summary: "Set limits", value: { budget: 1000, daily_limit: 50 } },
      expiry: { summary: "Set the expiry date alone", value: { expiry_date: "2027-12-31" } },
    },
    response: { success: true, message: "Limits updated on 3 API keys.", updated_count: 3, failed_count: 0 },
    errors: {
      400: {
        when:
          "No limit parameter is given; a parameter has the wrong type; a limit is negative; `expiry_date` is not a date " +
          "in the format YYYY-MM-DD; no matching key is found in the group.",
        examples: {
          noMatchingKey: failure("No key in the group", "group_id: no matching key found in the group"),
          noLimitGiven: NO_LIMIT_GIVEN,
          wrongType: WRONG_TYPE,
          negative: NEGATIVE,
          wrongDateFormat: WRONG_DATE_FORMAT,
        },
      },
    },
  },
};

const COMPONENTS = {
  schemas: {
    Error: {
      type: "object",
      description: "The shape of every error.",
      properties: {
        success: { type: "boolean", const: false, description: "Always false.", examples: [false] },
        error: {
          type: "string",
          description: "What went wrong, for people to read. Faults of several parameters are joined by `; `.",
          examples: [WRONG_TYPE.value.error],
        },
      },
      required: ["success", "error"],
    },
  },
  responses: {
    Unauthorized: {
      ...errorResponse("The key is missing or invalid.", {
        invalidKey: failure("No valid key", "API key missing or invalid"),
      }),
      headers: headers("Request-Id", "WWW-Authenticate"),
    },
    Forbidden: errorResponse("The key is valid but is not the default key of the account.", {
      otherKey: failure("Another key", "only the default API key of the account may perform this operation"),
    }),
    PayloadTooLarge: errorResponse(`The body is longer than ${MAX_BODY_BYTES / 1024} KiB.`, {
      tooLong: failure("Body too long", `body: must be at most ${MAX_BODY_BYTES} bytes long`),
    }),
    ServiceUnavailable: {
      ...errorResponse("The database cannot be reached or is too busy.", {
        databaseAway: failure("Database away", "the database cannot be reached or is too busy; try again later"),
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
      description: "Seconds to wait before the next attempt.",
      required: true,
      schema: { type: "integer", minimum: 1, examples: [1] },
    },
    "WWW-Authenticate": {
      description: "How to authenticate.",
      required: true,
      schema: { type: "string", const: "Bearer", examples: ["Bearer"] },
    },
  },
  securitySchemes: {
    [SECURITY_SCHEME]: { type: "http", scheme: "bearer", description: "The default key of an account." },
  },
};

/** The part of JSON Schema that is looked at here. */
interface Schema {
  type?: string | string[];
  description?: string;
  examples?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
}

/** What the generator makes of one procedure. */
interface GeneratedOperation {
  summary: string;
  description: string;
  tags: string[];
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
  responses: { 200: { content: { "application/json": { schema: Schema } } } };
}

async function describeApi(): Promise<object> {
  // Imported only now: a start-up does not need it.
  const { generateOpenApiDocument } = await import("trpc-to-openapi");
  const generated = generateOpenApiDocument(appRouter, { title: "Allowance", version, baseUrl: "/" });
  const paths: Record<string, Record<string, object>> = {};
  for (const route of collectRoutes(appRouter)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeOperation(route, generated) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Allowance", version, description: DESCRIPTION, license: { name: license, identifier: license } },
    servers: [{ url: "/", description: "This server" }],
    tags: [
      { name: "API keys", description: "Create keys and set the limits of one key." },
      { name: "Groups", description: "Create and list groups, and set the limits of every key in a group." },
      { name: "Account", description: "Read the account and change its settings." },
    ],
    paths,
    components: COMPONENTS,
  };
}

function describeOperation({ procedure, path, method, status }: Route, document: OpenAPIObject): object {
  const facts = FACTS[procedure];
  const generated = document.paths?.[path]?.[method.toLowerCase() as "get"] as GeneratedOperation | undefined;
  if (!facts || !generated) throw new Error(`${procedure} has no examples in server/rest/openapi.ts`);
  const { summary, description, tags, parameters = [], requestBody, responses } = generated;
  const bodyHeaders = requestBody ? headers("Request-Id", "Ignored-Parameters") : headers("Request-Id");
  return {
    operationId: procedure,
    summary,
    description,
    tags,
    security: [{ [SECURITY_SCHEME]: [] }],
    ...(parameters.length > 0 && { parameters: parameters.map(describeParameter) }),
    ...(requestBody && {
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: describeBody(requestBody.content["application/json"].schema),
            examples: facts.request,
          },
        },
      },
    }),
    responses: {
      [status]: {
        description: facts.success,
        headers: bodyHeaders,
        content: {
          "application/json": {
            schema: plainly(responses[200].content["application/json"].schema),
            example: facts.response,
          },
        },
      },
      ...(requestBody && { 413: { $ref: "#/components/responses/PayloadTooLarge" } }),
      401: { $ref: "#/components/responses/Unauthorized" },
      403: { $ref: "#/components/responses/Forbidden" },
      // Where the contract has a 500 of its own, it covers the database's failures too.
      ...(!facts.errors[500] && { 503: { $ref: "#/components/responses/ServiceUnavailable" } }),
      ...Object.fromEntries(
        Object.entries(facts.errors).map(([code, { when, examples }]) => [
          code,
          { ...errorResponse(when, examples), headers: bodyHeaders },
        ]),
      ),
    },
  };
}

function describeParameter({
  name,
  in: place,
  required,
  schema,
}: NonNullable<GeneratedOperation["parameters"]>[number]): object {
  const { description, ...rest } = schema;
  return { name, in: place, required, description, schema: rest, example: schema.examples?.[0] };
}

/** A body without a required parameter carries limits, of which at least one is needed. */
function describeBody(schema: Schema): object {
  const body = plainly(schema);
  return body.required ? body : { ...body, minProperties: 1 };
}

/**
 * A schema in fewer words that every tool reads alike: "a type or null" as two types instead of two schemas, so that
 * description and examples stand at the field; no bounds that only say "an integer"; no ban on further properties,
 * which a request may carry and a later version may answer with.
 */
function plainly({ anyOf, additionalProperties: _, properties, items, ...rest }: Schema): Schema {
  const value = anyOf?.find(({ type }) => type !== "null");
  if (value && anyOf?.length === 2 && typeof value.type === "string") {
    const { type, description, ...rules } = plainly(value);
    if (rules.enum) rules.enum = [...rules.enum, null];
    return { type: [String(type), "null"], description: `${description} \`null\` when not set.`, ...rules };
  }
  const plain: Schema = { ...rest };
  if (plain.minimum === Number.MIN_SAFE_INTEGER) delete plain.minimum;
  if (plain.maximum === Number.MAX_SAFE_INTEGER) delete plain.maximum;
  if (properties)
    plain.properties = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, plainly(field)]));
  if (items) {
    plain.items = plainly(items);
    plain.examples ??= [[exampleOf(plain.items)]];
  }
  return plain;
}

function exampleOf({ properties = {} }: Schema): object {
  return Object.fromEntries(Object.entries(properties).map(([name, { examples }]) => [name, examples?.[0]]));
}

function failure(summary: string, error: string): { summary: string; value: { success: false; error: string } } {
  return { summary, value: { success: false, error } };
}

function errorResponse(
  description: string,
  examples: Examples,
): { description: string; headers: object; content: object } {
  return {
    description,
    headers: headers("Request-Id"),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples } },
  };
}

function headers(...names: string[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
