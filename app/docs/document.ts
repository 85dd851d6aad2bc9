// The part of OpenAPI 3.1 that the document of this server uses (server/rest/openapi.ts).

interface Reference {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: unknown;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example: unknown;
}

interface Example {
  summary: string;
  value: unknown;
}

export interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, Example>;
}

interface Header {
  description: string;
}

interface Response {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Content>;
}

interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: { "application/json": Content } };
  /** Headers that go together, where none of them is always required. */
  "x-example-headers"?: Record<string, unknown>;
  responses: Record<string, Response | Reference>;
}

interface ApiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, { description: string }>;
  };
}

/** One status with which an operation answers. */
export interface Answer {
  status: string;
  description: string;
  /** Their names. */
  headers: string[];
  content: [string, Content][];
}

/** An operation of the document. */
export interface Operation extends Omit<DescribedOperation, "responses"> {
  /** Identifies it on the page: `#createApiKey`. */
  id: string;
  /** In capital letters. */
  method: string;
  path: string;
  /** Its own answers, successes first. */
  answers: Answer[];
  /** The statuses of the errors that it shares with others. */
  sharedErrors: string[];
}

/** A section of the reference. */
interface Section {
  id: string;
  name: string;
  description: string;
  operations: Operation[];
}

/** Headers of every answer to a body. They stand once for all. */
const COMMON_HEADERS = ["Request-Id", "Ignored-Parameters"];

/** What the page shows of the document. */
interface Shown {
  api: ApiDocument;
  sections: Section[];
  /** The errors that operations share, by their statuses. */
  sharedErrors: Answer[];
}

let last: { text: string; shown: Shown } | undefined;

/** Reads the document. It is the same text for every reader, so it is read once. */
export function readDocument(text: string): Shown {
  if (last?.text !== text) {
    const api: ApiDocument = JSON.parse(text);
    last = { text, shown: { api, sections: sectionsOf(api), sharedErrors: sharedErrorsOf(api) } };
  }
  return last.shown;
}

/** The operations of a document, in the sections that it names. */
function sectionsOf({ tags, paths, components: { schemas } }: ApiDocument): Section[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses, parameters, requestBody, ...operation }]): Operation => {
      const own = Object.entries(responses).filter((entry): entry is [string, Response] => !("$ref" in entry[1]));
      return {
        ...operation,
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        ...(parameters && {
          parameters: parameters.map((parameter) => ({ ...parameter, schema: shownSchema(parameter.schema, schemas) })),
        }),
        ...(requestBody && {
          requestBody: {
            content: { "application/json": shownContent(requestBody.content["application/json"], schemas) },
          },
        }),
        answers: own.map(([status, response]) => answerOf(status, response, schemas)),
        sharedErrors: Object.keys(responses).filter((status) => !own.some(([each]) => each === status)),
      };
    }),
  );
  return tags.map(({ name, description }) => ({
    id: name.toLowerCase().replaceAll(" ", "-"),
    name,
    description,
    operations: operations.filter(({ tags }) => tags.includes(name)),
  }));
}

function sharedErrorsOf({ paths, components }: ApiDocument): Answer[] {
  const statuses = new Map(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) =>
        Object.entries(responses).flatMap(([status, response]): [string, Response | undefined][] =>
          "$ref" in response ? [[status, components.responses[response.$ref.split("/").at(-1) ?? ""]]] : [],
        ),
      ),
    ),
  );
  return [...statuses]
    .sort()
    .flatMap(([status, response]) => (response === undefined ? [] : [answerOf(status, response, components.schemas)]));
}

function answerOf(
  status: string,
  { description, headers = {}, content = {} }: Response,
  schemas: Record<string, Schema>,
): Answer {
  return {
    status,
    description,
    headers: Object.keys(headers).filter((name) => !COMMON_HEADERS.includes(name)),
    content: Object.entries(content).map(([type, answered]) => [type, shownContent(answered, schemas)]),
  };
}

/**
 * A schema as the page shows it: with what it refers to in its place, and a choice as one schema of several types, because a
 * choice is one of plain types, or one of a schema and `null`.
 */
function shownSchema({ $ref, anyOf, properties, items, ...own }: Schema, named: Record<string, Schema>): Schema {
  const referred = $ref && named[$ref.split("/").at(-1) ?? ""];
  if (referred) return shownSchema({ ...referred, ...own }, named);
  const choices = anyOf?.map((choice) => shownSchema(choice, named));
  if (choices)
    return { ...Object.assign({}, ...choices), ...own, type: choices.flatMap(({ type = "object" }) => type) };
  return {
    ...own,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, shownSchema(field, named)]),
      ),
    }),
    ...(items && { items: shownSchema(items, named) }),
  };
}

function shownContent({ schema, ...content }: Content, named: Record<string, Schema>): Content {
  return { ...content, ...(schema && { schema: shownSchema(schema, named) }) };
}

/** The examples of a body or an answer. A single one has no summary. */
export function examplesOf({
  example,
  examples,
}: Omit<Content, "schema">): { summary: string | undefined; value: unknown }[] {
  if (examples !== undefined) return Object.values(examples);
  return example === undefined ? [] : [{ summary: undefined, value: example }];
}
