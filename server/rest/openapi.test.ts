import { TRPCError } from "@trpc/server";
import { beforeAll, describe, expect, test } from "vitest";
import { type ZodType, z } from "zod";
import { AccountTurns } from "../account-turns";
import type { Context } from "../context";
import { DatabaseNotReady } from "../db/failure";
import { errors } from "../errors/catalogue";
import { failWith, publicError } from "../errors/public-error";
import { createKeyInput, setLimitsInput } from "../keys/schema";
import { formatAmount } from "../limits/amount";
import { AMOUNT_NAMES } from "../limits/schema";
import { appRouter } from "../router";
import { apiDocument } from "./openapi";
import { collectRoutes } from "./routes";

// biome-ignore lint/suspicious/noExplicitAny: a parsed document is looked into at any depth.
type Json = Record<string, any>;

/**
 * The five core operations with all their statuses: 413, 429 and 503 can come wherever a body is read, much asked or the
 * database needed, and 409 where a `version` can be sent.
 */
const CORE: { at: string; id: string; statuses: number[] }[] = [
  { at: "post /v1/apikeys", id: "createApiKey", statuses: [201, 400, 401, 403, 413, 429, 500] },
  {
    at: "post /v1/apikeys/{apikey_id}/budget",
    id: "setApiKeyLimits",
    statuses: [200, 400, 401, 403, 404, 409, 413, 429, 503],
  },
  { at: "post /v1/apikey_groups", id: "createGroup", statuses: [201, 400, 401, 403, 413, 429, 503] },
  { at: "get /v1/apikey_groups", id: "listGroups", statuses: [200, 401, 403, 429, 503] },
  {
    at: "post /v1/apikey_groups/{group_id}/batch_budget",
    id: "setGroupLimits",
    statuses: [200, 400, 401, 403, 413, 429, 503],
  },
];

/** Every procedure that stands on a path, not only the core ones. */
const OPERATIONS = collectRoutes(appRouter).map(({ method, path, procedure, status }) => {
  const { inputs, output } = (appRouter._def.procedures as unknown as Record<string, Procedure>)[procedure]?._def ?? {};
  return { at: `${method.toLowerCase()} ${path}`, id: procedure, status, input: inputs?.[0], output };
});

interface Procedure {
  _def: { inputs: ZodType[]; output: ZodType };
}

let api: Json;
let $defs: Json;

beforeAll(async () => {
  api = JSON.parse(await apiDocument());
  $defs = asJsonSchema(api.components.schemas);
});

test("making it leaves the shared schemas as strict as they were", () => {
  for (const budget of ["100", true, null, "", []]) {
    expect(createKeyInput.safeParse({ name: "production", budget }).success).toBe(false);
  }
  expect(setLimitsInput.safeParse({ apikey_id: "sk-AbC1234", budget: "100" }).success).toBe(false);
  expect(createKeyInput.safeParse({ name: 5 }).success).toBe(false);
});

describe("document", () => {
  test("is OpenAPI 3.1 by its structure", () => {
    expect(api.openapi).toMatch(/^3\.1\.\d+$/);
    expect(api.info).toMatchObject({
      title: "Allowance",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      license: { identifier: "MIT" },
    });
    expect(api.servers).toEqual([{ url: "/", description: expect.any(String) }]);
    for (const { operation } of operations()) {
      expect(operation.tags.every((tag: string) => api.tags.some(({ name }: Json) => name === tag))).toBe(true);
      expect(operation.security[0]).toEqual({ defaultKey: [] });
    }
    for (const scheme of ["defaultKey", "gatewayToken"])
      expect(api.components.securitySchemes[scheme]).toMatchObject({ type: "http", scheme: "bearer" });
    for (const [key, value, at] of walk(api)) {
      // OpenAPI 3.1 is JSON Schema: what 3.0 had instead must not come back.
      expect([`${at} nullable`, key === "nullable"]).toEqual([`${at} nullable`, false]);
      if (key === "examples" && at.endsWith("/schema")) expect(Array.isArray(value)).toBe(true);
    }
  });

  test("every reference resolves, and every component is referred to", () => {
    const used = new Set(walk(api).flatMap(([key, value]) => (key === "$ref" ? [String(value)] : [])));
    for (const reference of used)
      expect([reference, resolve({ $ref: reference })]).toEqual([reference, expect.any(Object)]);
    for (const kind of ["schemas", "responses", "headers"]) {
      for (const name of Object.keys(api.components[kind])) expect(used).toContain(`#/components/${kind}/${name}`);
    }
  });

  test("has every operation, each with a name of its own, and the five core ones among them", () => {
    const described = operations().map(({ at, operation }) => ({ at, id: operation.operationId }));
    expect(described.map(({ at }) => at).sort()).toEqual(OPERATIONS.map(({ at }) => at).sort());
    expect(described).toEqual(expect.arrayContaining(CORE.map(({ at, id }) => ({ at, id }))));
    for (const { id } of described) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
    expect(new Set(described.map(({ id }) => id)).size).toBe(described.length);
  });

  test.each(CORE)("$id has exactly its statuses", ({ at, statuses }) => {
    const found = operations().find((each) => each.at === at)?.operation;
    expect(Object.keys(found?.responses ?? {}).map(Number)).toEqual(statuses);
  });

  test("any key reads its allowance, and nothing else", () => {
    const forAnyKey = operations().filter(({ operation }) => operation.security.some((scheme: Json) => scheme.anyKey));
    expect(forAnyKey.map(({ at }) => at)).toEqual(["get /v1/allowance"]);
    expect(api.info.description).toContain("`GET /v1/allowance`");
    expect(Object.keys(forAnyKey[0]?.operation.responses ?? {})).toEqual(["200", "401", "429", "503"]);
  });

  test("what authorizes, captures, voids and checks, and the models of a key, take a gateway's token too, and nothing else does", () => {
    const forGateways = operations().filter(({ operation }) =>
      operation.security.some((scheme: Json) => scheme.gatewayToken),
    );
    for (const { operation } of forGateways)
      expect(operation.security).toEqual([{ defaultKey: [] }, { gatewayToken: [] }]);
    expect(api.info.description).toContain("`GET /v1/apikeys/{apikey_id}/models`");
    expect(forGateways.map(({ at }) => at).sort()).toEqual([
      "get /v1/apikeys/{apikey_id}/models",
      "get /v1/authorizations/check",
      "post /v1/authorizations",
      "post /v1/authorizations/check",
      "post /v1/authorizations/{authorization_id}/capture",
      "post /v1/authorizations/{authorization_id}/void",
    ]);
  });

  test("a check by headers takes headers alone, and answers with a status alone", () => {
    const { parameters, responses } = api.paths["/v1/authorizations/check"].get;
    expect(parameters.map(({ in: place, name, required }: Json) => [place, name, required])).toEqual([
      ["header", "Allowance-Key", false],
      ["header", "Allowance-Key-Hash", false],
      ["header", "Allowance-Scope", false],
      ["header", "Allowance-Amount", false],
      ["header", "Allowance-Input-Price", false],
      ["header", "Allowance-Output-Price", false],
      ["header", "Allowance-Model", false],
      ["header", "Allowance-Input-Tokens", false],
      ["header", "Allowance-Max-Output-Tokens", false],
    ]);
    expect(Object.keys(responses)).toEqual(["204", "400", "401", "403", "429", "503"]);
    expect(responses[204]).not.toHaveProperty("content");
    for (const status of [401, 403]) expect(responses[status].headers).toHaveProperty("Allowance-Code");
    expect(resolve(responses[403].headers["Retry-After"])).not.toHaveProperty("required");
  });

  test("a check by headers is described by the names of its headers, and names every cause of a refusal", () => {
    const { parameters, responses } = api.paths["/v1/authorizations/check"].get;
    for (const { in: place, name, description } of parameters as Json[]) {
      if (place === "header") expect(description, name).not.toMatch(/`(amount|model|input_tokens|max_output_tokens)`/);
    }
    expect(responses[401].description).toContain("account is disabled");
    expect(responses[403].description).toContain("the model has no price");
  });

  test("each 403 has the reason that all have, also where there is another one", () => {
    const ofAll = publicError(failWith(errors.notDefaultKey())).message;
    const reasons = operations().flatMap(({ at, operation: { responses } }) => {
      if (!responses[403]) return [];
      const { examples } = resolve(responses[403]).content["application/json"];
      return [[at, Object.values<Json>(examples).map(({ value }) => value.error)] as const];
    });
    for (const [at, said] of reasons) expect([at, said]).toEqual([at, expect.arrayContaining([ofAll])]);
    expect(reasons.filter(([, said]) => said.length > 1).map(([at]) => at)).toEqual([
      "post /v1/apikeys/{apikey_id}/rotate",
      "get /v1/authorizations/check",
      "post /v1/models/{model_id}/delete",
    ]);
  });

  test("a call that is authorized and one that is checked have the same faults", () => {
    for (const path of ["/v1/authorizations", "/v1/authorizations/check"]) {
      const { description } = api.paths[path].post.responses[400];
      for (const fault of [
        "`apikey_hash` and `apikey_id`",
        "`amount` and `model`",
        "`account_id`",
        "`max_output_tokens`",
      ])
        expect([path, description]).toEqual([path, expect.stringContaining(fault)]);
    }
  });

  test("the sentence of an example has its amount as the server writes it", () => {
    for (const path of ["/v1/authorizations", "/v1/authorizations/{authorization_id}/capture"]) {
      const { message, amount } = api.paths[path].post.responses[200].content["application/json"].example;
      expect(message).toMatch(new RegExp(`^(Held|Captured) ${formatAmount(amount)} yuan\\.$`));
    }
  });

  test("a void reads an id alone, and an id of a wrong form is no error of its own", () => {
    const { responses } = api.paths["/v1/authorizations/{authorization_id}/void"].post;
    expect(Object.keys(responses)).toEqual(["200", "401", "403", "404", "409", "429", "503"]);
  });

  test("the export of the history is a file of two types", () => {
    const { content } = api.paths["/v1/history/export"].get.responses[200];
    expect(Object.keys(content)).toEqual(["text/csv", "application/x-ndjson"]);
    for (const type of Object.values<Json>(content)) {
      expect(type).toEqual({ schema: { type: "string" }, example: expect.stringMatching(/./) });
    }
  });

  test("path parameters are those of the path", () => {
    for (const { at, operation } of operations()) {
      const inPath = [...at.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const parameters: Json[] = (operation.parameters ?? []).filter((parameter: Json) => parameter.in === "path");
      expect(parameters.map(({ name }) => name)).toEqual(inPath);
      for (const parameter of parameters) {
        expect(parameter).toMatchObject({ required: true, example: expect.anything() });
        const { properties = {} } = bodyOf(operation);
        expect(properties).not.toHaveProperty(parameter.name);
      }
    }
  });
});

describe.each(OPERATIONS)("$id", ({ at, id, status: succeeded, input, output }) => {
  let operation: Json;
  let statuses: number[];

  beforeAll(() => {
    operation = operations().find((each) => each.at === at)?.operation ?? {};
    statuses = Object.keys(operation.responses).map(Number);
  });

  test("errors have the one shape and an example, and every answer names its request", () => {
    for (const status of statuses) {
      const response = resolve(operation.responses[status]);
      expect(response.description).not.toBe("");
      expect(resolve(response.headers["Request-Id"]).required).toBe(true);
      if (status < 400) continue;
      const { schema, examples } = response.content["application/json"];
      const isOfCheck = id === "authorizations.checkByHeaders" && [401, 403].includes(status);
      expect(schema).toEqual({ $ref: `#/components/schemas/${isOfCheck ? "RefusedCheck" : "Error"}` });
      const bodies = Object.values<Json>(examples).map(({ value }) => value);
      const plain = { success: false, error: expect.any(String) };
      // The caller's key is refused with a code, and the gateway's own without one.
      const refused = { ...plain, code: expect.any(String), refusal: expect.any(Object) };
      expect(bodies).toEqual(isOfCheck ? [refused, plain] : bodies.map(() => plain));
      expect(bodies.length).toBeGreaterThan(0);
    }
    expect(resolve(api.components.schemas.Error)).toMatchObject({
      required: ["success", "error"],
      properties: { success: { const: false }, error: { type: "string" } },
    });
  });

  test("says when to come back, how much a key has left, how to authenticate, and what was ignored", () => {
    for (const status of [succeeded, 429]) {
      for (const name of ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"])
        expect(resolve(operation.responses[status]).headers).toHaveProperty(name);
    }
    expect(resolve(operation.responses[401]).headers).toHaveProperty("WWW-Authenticate");
    if (operation.responses[503]) expect(resolve(operation.responses[503]).headers).toHaveProperty("Retry-After");
    if (operation.responses[429]) expect(resolve(operation.responses[429]).headers).toHaveProperty("Retry-After");
    expect("Ignored-Parameters" in operation.responses[succeeded].headers).toBe(operation.requestBody !== undefined);
  });

  test("the examples are what the procedure takes and gives", () => {
    const parameters = Object.fromEntries(
      (operation.parameters ?? []).map(({ name, example }: Json) => [name, example]),
    );
    for (const { value } of Object.values<Json>(operation.requestBody?.content["application/json"].examples ?? {})) {
      expect(input?.parse({ ...parameters, ...value })).toEqual({ ...parameters, ...value });
    }
    const answered = operation.responses[succeeded].content?.["application/json"];
    // An answer 204 has no content, and a file is no JSON.
    if (!answered) return;
    const { example } = answered;
    expect(output?.parse(example)).toEqual(example);
  });
});

describe("every schema", () => {
  test("says what each field means, with an example", () => {
    for (const [key, value, place] of walk(api.components.schemas)) {
      if (key !== "properties") continue;
      for (const [name, field] of Object.entries<Json>(value as Json)) {
        const { description, examples, properties, items } = resolve(field.anyOf?.[0].$ref ? field.anyOf[0] : field);
        const at = `${place}/${name}`;
        expect([at, field.description ?? description]).toEqual([at, expect.stringMatching(/\.$/)]);
        // An example of an object or a list is made from those of its fields.
        const hasExample = [field.examples, examples, properties, items?.$ref, items?.properties].some(Boolean);
        expect([at, hasExample]).toEqual([at, true]);
      }
    }
  });

  test("has numbers with a format that loses nothing, and a choice of types as a choice of schemas", () => {
    const formats: Json = { number: "double", integer: "int64" };
    for (const [key, value, at] of walk(api)) {
      if (key !== "type" || at.endsWith("/properties") || /example|const/.test(at)) continue;
      const types = [value].flat().filter((type) => type !== "null");
      if (value !== "null") expect([at, types.length]).toEqual([at, 1]);
      const format = formats[String(types[0])];
      if (format) expect([at, schemaAt(at).format]).toEqual([at, format]);
    }
  });

  test("has ids with their form", () => {
    /** What has the name of a model for its id. */
    const ofModels = ["AllowedModel", "UsageSeries", "UsageTotal"];
    for (const { name, field, at } of fieldsOf()) {
      // The caller makes up the id of a request.
      if (!/(^|_)ids?$/.test(name) || name === "request_id" || (name === "id" && ofModels.includes(at))) continue;
      const { pattern, items } = resolve(field);
      expect([at, name, typeof (pattern ?? resolve(items)?.pattern)]).toEqual([at, name, "string"]);
    }
  });

  test("forbids further properties only where a request is refused for them", () => {
    const strict = walk(api).filter(([key, value]) => key === "additionalProperties" && value === false);
    expect(strict.map(([, , at]) => at.split("/").at(-1)).sort()).toEqual(
      ["ApiKeyFilter", "ApiKeyQuery", "HistoryQuery", "RelativeChange", "RelativeChanges"].sort(),
    );
  });
});

describe("every example", () => {
  test("is one of its schema", () => {
    for (const { name, schema } of schemasWithExamples()) {
      const accepted = accepting(schema);
      for (const example of schema.examples) {
        expect([name, example, accepted.safeParse(example).error?.issues]).toEqual([name, example, undefined]);
      }
    }
    for (const { operation } of operations()) {
      for (const { name, schema, example } of operation.parameters ?? []) {
        expect([operation.operationId, name, accepting(schema).safeParse(example).success]).toEqual([
          operation.operationId,
          name,
          true,
        ]);
      }
    }
  });

  test("is real: not empty, and what is allowed has no reason for a refusal", () => {
    for (const [key, value, at] of walk(api)) {
      if (key !== "example" && key !== "value" && !/\/examples$/.test(at)) continue;
      for (const [inner, each] of [[key, value, at] as const, ...walk(value)]) {
        const isEmpty =
          typeof each === "object" && each !== null && !Array.isArray(each) && Object.keys(each).length === 0;
        expect([at, inner, isEmpty]).toEqual([at, inner, false]);
        if (each instanceof Object && "allowed" in each && each.allowed === true)
          expect([at, each]).toMatchObject([at, { code: null }]);
      }
    }
  });
});

describe("fields", () => {
  test("amounts go from 0 to 1e15, and are null only in answers", () => {
    const amounts = fieldsOf().filter(
      ({ name, at }) => AMOUNT_NAMES.some((each) => each === name) && !/^Available/.test(at),
    );
    for (const { field, at } of amounts) {
      if (field.$ref) continue;
      const isAnswer = !at.endsWith("Input") && at !== "DefaultLimits";
      expect([at, field]).toMatchObject([at, { minimum: 0, maximum: 1e15 }]);
      if (at !== "DefaultLimits") expect([at, field.type]).toEqual([at, isAnswer ? ["number", "null"] : "number"]);
    }
    expect(amounts.length).toBeGreaterThan(30);
  });

  test("what must be more than 0 says so: 0 would lift a limit, or make calls free of charge", () => {
    const bounds = walk(api).filter(([key]) => key === "exclusiveMinimum");
    expect(new Set(bounds.map(([, least, at]) => `${at.split("/").at(-1)} ${least}`))).toEqual(
      new Set(["multiply 0", "at_least 0", "at_most 0", "rate 0"]),
    );
    const named = fieldsOf().filter(({ name }) => ["multiply", "at_least", "at_most", "rate"].includes(name));
    for (const { field, at } of named) expect([at, field.exclusiveMinimum, field.minimum]).toEqual([at, 0, undefined]);
  });

  test("dates are dates, names have their length, ids their form", () => {
    const { properties, required } = requestSchema("/v1/apikeys");
    expect(required).toEqual(["name"]);
    expect(properties.name).toMatchObject({ type: "string", minLength: 1, maxLength: 128 });
    expect(properties.expiry_date).toMatchObject({
      type: "string",
      format: "date",
      pattern: "^[1-9]\\d{3}-\\d{2}-\\d{2}$",
    });
    expect(properties.group_id).toMatchObject({ type: "string", pattern: "^[0-9a-fA-F]{24}$" });
    expect(requestSchema("/v1/apikey_groups").properties.name).toMatchObject({ minLength: 1, maxLength: 128 });
    const answer = resolve(api.paths["/v1/apikeys"].post.responses[201].content["application/json"].schema).properties;
    expect(answer.expiry_date).toMatchObject({ type: ["string", "null"], format: "date" });
    expect(answer.group_id).toMatchObject({ type: ["string", "null"] });
  });

  test("the smallest number of parameters is said only where more are needed than are required", () => {
    const least = Object.fromEntries(
      operations().flatMap(({ operation }) => {
        const { minProperties } = bodyOf(operation);
        return minProperties === undefined ? [] : [[operation.operationId, minProperties]];
      }),
    );
    expect(least).toMatchObject({
      setApiKeyLimits: 1,
      setGroupLimits: 1,
      updateGroup: 1,
      updateAccount: 1,
      changeManyApiKeys: 2,
      setLimitsOfManyApiKeys: 2,
      captureAuthorization: 1,
      authorize: 2,
      createSavedFilter: 2,
    });
    for (const each of ["createApiKey", "createGroup", "moveApiKey", "disableApiKey"])
      expect(least).not.toHaveProperty(each);
  });

  test("an empty body is described as it is taken", () => {
    const described = OPERATIONS.flatMap(({ at, input }) => {
      const [method = "", path = ""] = at.split(" ");
      const operation = api.paths[path][method];
      const schema = bodyOf(operation);
      if (!schema.properties || schema.required) return [];
      const inPath = Object.fromEntries(operation.parameters?.map(({ name, example }: Json) => [name, example]) ?? []);
      return [{ at, isTaken: input?.safeParse(inPath).success, isDescribed: schema.minProperties === undefined }];
    });
    expect(described.length).toBeGreaterThan(6);
    for (const { at, isTaken, isDescribed } of described) expect([at, isDescribed]).toEqual([at, isTaken]);
  });

  test("who sends what can be wrong can get 400, and who sends a version 409", () => {
    for (const { operation } of operations()) {
      const isSent = operation.requestBody || operation.parameters?.some(({ in: place }: Json) => place !== "path");
      if (isSent)
        expect([operation.operationId, operation.responses]).toMatchObject([operation.operationId, { 400: {} }]);
      if (bodyOf(operation).properties?.version)
        expect([operation.operationId, operation.responses]).toMatchObject([operation.operationId, { 409: {} }]);
    }
  });
});

/** Each error text that needs no database to come about: a call, and the example that must repeat its answer. */
describe("error examples are what the service says", () => {
  const ofAccount = { mayManage: true, accountId: "" };

  test.each<
    [name: string, path: string, status: number, caller: () => unknown, call: (as: Caller) => Promise<unknown>]
  >([
    ["invalidKey", "get /v1/apikey_groups", 401, () => undefined, (as) => as.groups.list()],
    ["otherKey", "get /v1/apikey_groups", 403, () => ({ ...ofAccount, mayManage: false }), (as) => as.groups.list()],
    ["databaseAway", "get /v1/apikey_groups", 503, databaseAway, (as) => as.groups.list()],
    ["creationFailed", "post /v1/apikeys", 500, databaseAway, (as) => as.keys.create({ name: "production" })],
    ["nameEmpty", "post /v1/apikeys", 400, () => ofAccount, (as) => as.keys.create({ name: " " })],
    [
      "wrongType",
      "post /v1/apikeys",
      400,
      () => ofAccount,
      (as) => as.keys.create({ name: "a", budget: "1" as never }),
    ],
    [
      "noSuchKey",
      "post /v1/apikeys/{apikey_id}/budget",
      404,
      () => ofAccount,
      (as) => as.keys.setLimits({ apikey_id: "x", budget: 1 }),
    ],
    [
      "noLimitGiven",
      "post /v1/apikeys/{apikey_id}/budget",
      400,
      () => ofAccount,
      (as) => as.keys.setLimits({ apikey_id: "x" }),
    ],
    [
      "negative",
      "post /v1/apikeys/{apikey_id}/budget",
      400,
      () => ofAccount,
      (as) => as.keys.setLimits({ apikey_id: "x", budget: -1 }),
    ],
    [
      "wrongDateFormat",
      "post /v1/apikeys/{apikey_id}/budget",
      400,
      () => ofAccount,
      (as) => as.keys.setLimits({ apikey_id: "x", expiry_date: "2027/12/31" }),
    ],
    [
      "nameTooLong",
      "post /v1/apikey_groups",
      400,
      () => ofAccount,
      (as) => as.groups.create({ name: "n".repeat(129) }),
    ],
    ["wrongType", "post /v1/apikey_groups", 400, () => ofAccount, (as) => as.groups.create({ name: 5 as never })],
  ])("%s of %s", async (name, at, status, caller, call) => {
    const accountTurns = new AccountTurns(1);
    const context = { db: {}, keyPrefix: "sk-", accountTurns, caller: async () => caller() } as unknown as Context;
    const error = await call(appRouter.createCaller(context)).catch((thrown: unknown) => thrown);
    if (!(error instanceof TRPCError)) throw error;
    const response = resolve(operations().find((each) => each.at === at)?.operation.responses[status]);
    expect(publicError(error)).toMatchObject({
      status,
      message: response.content["application/json"].examples[name].value.error,
    });
  });
});

type Caller = ReturnType<typeof appRouter.createCaller>;

function databaseAway(): never {
  throw new DatabaseNotReady();
}

function operations(): { at: string; operation: Json }[] {
  return Object.entries<Json>(api.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
  );
}

function requestSchema(path: string): Json {
  return bodyOf(api.paths[path].post);
}

/** The schema of the body of an operation; empty where it has none. */
function bodyOf(operation: Json): Json {
  return resolve(operation.requestBody?.content["application/json"].schema);
}

/** Every field of the named schemas, with the name of its schema. */
function fieldsOf(): { name: string; field: Json; at: string }[] {
  return walk(api.components.schemas).flatMap(([key, value, at]) =>
    key === "properties"
      ? Object.entries<Json>(value as Json).map(([name, field]) => ({ name, field, at: at.split("/").at(1) ?? "" }))
      : [],
  );
}

function schemasWithExamples(): { name: string; schema: Json }[] {
  return [
    ...Object.entries<Json>(api.components.schemas).map(([name, schema]) => ({ name, schema })),
    ...fieldsOf().map(({ name, field, at }) => ({ name: `${at}.${name}`, schema: field })),
  ].filter(({ schema }) => schema.examples);
}

/** What accepts what a schema of the document describes. */
function accepting(schema: Json): ZodType {
  return z.fromJSONSchema({ ...asJsonSchema(schema), $defs });
}

/** The same with references that zod follows. */
function asJsonSchema(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replaceAll("#/components/schemas/", "#/$defs/"));
}

/** The schema at a place that `walk` found. */
function schemaAt(at: string): Json {
  return at
    .split("/")
    .slice(1)
    .reduce<Json>((place, step) => place[step.replaceAll("~1", "/")], api);
}

function resolve(value: Json | undefined): Json {
  if (typeof value?.$ref !== "string") return value ?? {};
  const [, ...steps] = value.$ref.split("/");
  const found = steps.reduce<Json | undefined>((place, step) => place?.[step], api);
  if (!found) throw new Error(`${value.$ref} leads nowhere`);
  return found;
}

/** Every member of a document: its name, its value, and where it stands. */
function walk(value: unknown, at = ""): [key: string, value: unknown, at: string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): [string, unknown, string][] => [
    [key, inner, at],
    ...walk(inner, `${at}/${key.replaceAll("/", "~1")}`),
  ]);
}
