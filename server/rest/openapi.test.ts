import { TRPCError } from "@trpc/server";
import { beforeAll, describe, expect, test } from "vitest";
import type { ZodType } from "zod";
import { AccountTurns } from "../account-turns";
import type { Context } from "../context";
import { DatabaseNotReady } from "../db/failure";
import { publicError } from "../errors/public-error";
import { createKeyInput, setLimitsInput } from "../keys/schema";
import { AMOUNT_NAMES } from "../limits/schema";
import { appRouter } from "../router";
import { apiDocument } from "./openapi";
import { collectRoutes } from "./routes";

// biome-ignore lint/suspicious/noExplicitAny: a parsed document is looked into at any depth.
type Json = Record<string, any>;

/** The five core operations with all their statuses; 413, 429 and 503 can come wherever a body is read, much asked or the database needed. */
const CORE: { at: string; id: string; statuses: number[] }[] = [
  { at: "post /v1/apikeys", id: "keys.create", statuses: [201, 400, 401, 403, 413, 429, 500] },
  {
    at: "post /v1/apikeys/{apikey_id}/budget",
    id: "keys.setLimits",
    statuses: [200, 400, 401, 403, 404, 413, 429, 503],
  },
  { at: "post /v1/apikey_groups", id: "groups.create", statuses: [201, 400, 401, 403, 413, 429, 503] },
  { at: "get /v1/apikey_groups", id: "groups.list", statuses: [200, 401, 403, 429, 503] },
  {
    at: "post /v1/apikey_groups/{group_id}/batch_budget",
    id: "groups.setLimits",
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

beforeAll(async () => {
  api = JSON.parse(await apiDocument());
});

test("is made once", async () => {
  expect(apiDocument()).toBe(apiDocument());
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

  test("has every operation, named like its procedure, and the five core ones among them", () => {
    const described = operations().map(({ at, operation }) => [at, operation.operationId]);
    expect(described.sort()).toEqual(OPERATIONS.map(({ at, id }) => [at, id]).sort());
    expect(described).toEqual(expect.arrayContaining(CORE.map(({ at, id }) => [at, id])));
  });

  test.each(CORE)("$id has exactly its statuses", ({ at, statuses }) => {
    const found = operations().find((each) => each.at === at)?.operation;
    expect(Object.keys(found?.responses ?? {}).map(Number)).toEqual(statuses);
  });

  test("any key reads its allowance, and nothing else", () => {
    const forAnyKey = operations().filter(({ operation }) => operation.security.some((scheme: Json) => scheme.anyKey));
    expect(forAnyKey.map(({ at }) => at)).toEqual(["get /v1/allowance"]);
    expect(Object.keys(forAnyKey[0]?.operation.responses ?? {})).toEqual(["200", "401", "429", "503"]);
  });

  test("what authorizes, captures, voids and checks, and the models of a key, take a gateway's token too, and nothing else does", () => {
    const forGateways = operations().filter(({ operation }) =>
      operation.security.some((scheme: Json) => scheme.gatewayToken),
    );
    for (const { operation } of forGateways)
      expect(operation.security).toEqual([{ defaultKey: [] }, { gatewayToken: [] }]);
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
    ]);
    expect(Object.keys(responses)).toEqual(["204", "400", "401", "403", "429", "503"]);
    expect(responses[204]).not.toHaveProperty("content");
    for (const status of [401, 403]) expect(responses[status].headers).toHaveProperty("Allowance-Code");
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
        expect(parameter).toMatchObject({ required: true, example: parameter.schema.examples[0] });
        const { properties = {} } = operation.requestBody?.content["application/json"].schema ?? {};
        expect(properties).not.toHaveProperty(parameter.name);
      }
    }
  });
});

describe.each(OPERATIONS)("$id", ({ at, status: succeeded, input, output }) => {
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
      expect(schema).toEqual({ $ref: "#/components/schemas/Error" });
      expect(Object.values<Json>(examples).length).toBeGreaterThan(0);
      for (const { value } of Object.values<Json>(examples))
        expect(value).toEqual({ success: false, error: expect.any(String) });
    }
    expect(resolve(api.components.schemas.Error)).toMatchObject({
      required: ["success", "error"],
      properties: { success: { const: false }, error: { type: "string" } },
    });
  });

  test("says when to come back, how to authenticate, and what was ignored", () => {
    expect(resolve(operation.responses[401]).headers).toHaveProperty("WWW-Authenticate");
    if (operation.responses[503]) expect(resolve(operation.responses[503]).headers).toHaveProperty("Retry-After");
    if (operation.responses[429]) expect(resolve(operation.responses[429]).headers).toHaveProperty("Retry-After");
    expect("Ignored-Parameters" in operation.responses[succeeded].headers).toBe(operation.requestBody !== undefined);
  });

  test("every property has an example and a description, and no request forbids others", () => {
    const schemas = [
      ...(operation.requestBody ? [operation.requestBody.content["application/json"].schema] : []),
      ...[operation.responses[succeeded].content?.["application/json"]?.schema ?? []].flat(),
      api.components.schemas.Error,
    ];
    for (const schema of schemas) {
      for (const [key, value, place] of walk(schema)) {
        expect(key).not.toBe("additionalProperties");
        if (key !== "properties") continue;
        for (const [name, field] of Object.entries<Json>(value as Json)) {
          expect([`${place}/${name}`, field]).toEqual([
            `${place}/${name}`,
            expect.objectContaining({ examples: [expect.anything()], description: expect.stringMatching(/\.$/) }),
          ]);
        }
      }
    }
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

describe("fields", () => {
  test("amounts go from 0 to 1e15, and are null only in answers", () => {
    for (const { operation } of operations()) {
      for (const name of AMOUNT_NAMES) {
        const sent = operation.requestBody?.content["application/json"].schema.properties[name];
        if (sent) expect(sent).toMatchObject({ type: "number", minimum: 0, maximum: 1e15 });
        const { content } = operation.responses[200] ?? operation.responses[201] ?? {};
        if (!content?.["application/json"]) continue;
        const { properties } = content["application/json"].schema;
        if (properties[name])
          expect(properties[name]).toMatchObject({ type: ["number", "null"], minimum: 0, maximum: 1e15 });
      }
    }
    expect(walk(api).filter(([key]) => key === "exclusiveMinimum" || key === "anyOf")).toEqual([]);
  });

  test("dates are dates, names have their length, ids their form", () => {
    const { properties, required } = requestSchema("/v1/apikeys");
    expect(required).toEqual(["name"]);
    expect(properties.name).toMatchObject({ type: "string", minLength: 1, maxLength: 128 });
    expect(properties.expiry_date).toMatchObject({ type: "string", format: "date", pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
    expect(properties.group_id).toMatchObject({ type: "string", pattern: "^[0-9a-fA-F]{24}$" });
    expect(requestSchema("/v1/apikey_groups").properties.name).toMatchObject({ minLength: 1, maxLength: 128 });
    const answer = api.paths["/v1/apikeys"].post.responses[201].content["application/json"].schema.properties;
    expect(answer.expiry_date).toMatchObject({ type: ["string", "null"], format: "date" });
    expect(answer.group_id).toMatchObject({ type: ["string", "null"] });
  });

  test("setting limits needs at least one parameter", () => {
    for (const path of ["/v1/apikeys/{apikey_id}/budget", "/v1/apikey_groups/{group_id}/batch_budget"]) {
      expect(requestSchema(path)).toMatchObject({ minProperties: 1 });
      expect(requestSchema(path)).not.toHaveProperty("required");
    }
  });

  test("an empty body is described as it is taken", () => {
    const described = OPERATIONS.flatMap(({ id, at, input }) => {
      const [method = "", path = ""] = at.split(" ");
      const { requestBody, parameters = [] } = api.paths[path][method];
      const schema = requestBody?.content["application/json"].schema;
      if (!schema || schema.required) return [];
      const inPath = Object.fromEntries(parameters.map(({ name, example }: Json) => [name, example]));
      return [{ id, isTaken: input?.safeParse(inPath).success, isDescribed: schema.minProperties !== 1 }];
    });
    expect(described.length).toBeGreaterThan(8);
    for (const { id, isTaken, isDescribed } of described) expect([id, isDescribed]).toEqual([id, isTaken]);
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
  return api.paths[path].post.requestBody.content["application/json"].schema;
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
    ...walk(inner, `${at}/${key}`),
  ]);
}
