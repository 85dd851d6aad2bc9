import type { OpenAPIObject } from "trpc-to-openapi";
import { license, version } from "@/package.json";
import { appRouter } from "../router";
import {
  ANY_KEY_SCHEME,
  COMPONENTS,
  errorResponse,
  GATEWAY_SCHEME,
  headers,
  SECURITY_SCHEME,
  tooLongResponse,
} from "./openapi-components";
import { describeBody, exampleOf, plainly, type Schema } from "./openapi-schema";
import { collectRoutes, type Route } from "./routes";

/**
 * The description of the REST API that `/openapi.json` serves, in OpenAPI 3.1. It is rendered from the schemas of the
 * procedures and from their metadata (server/endpoint.ts). The generator knows neither the shape of errors nor headers,
 * so only its schemas are used.
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

**Authorizations** make the limits true: before a call, a gateway has the most that it may cost held on its caller's key
(\`POST /v1/authorizations\`), and after it captures what it really cost, or voids the hold. A gateway of the operator
carries a token of its own instead of a default key, made by \`npm run -s gateway:create\` or set in \`GATEWAY_TOKENS\`:
good for the keys of every account, or of some, and for these operations alone.

**Limits.** Amounts are in yuan, prices in yuan per million tokens. 0 means no limit. In an answer, \`null\` means not set.
Amounts are kept to nine decimals; a positive one so small that it would become 0 is refused.

**Unknown parameters** in a body are ignored. Their names come back in the header \`Ignored-Parameters\`.

**Errors** have one shape: \`{"success": false, "error": "…"}\`. The text names each parameter at fault.`;

interface GeneratedParameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

/** What the generator makes of one procedure. */
interface GeneratedOperation {
  parameters?: GeneratedParameter[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
  responses: { 200: { content: { "application/json": { schema: Schema } } } };
}

async function describeApi(): Promise<object> {
  // Imported only now: a start-up does not need it.
  const { generateOpenApiDocument } = await import("trpc-to-openapi");
  const generated = generateOpenApiDocument(appRouter, { title: "Allowance", version, baseUrl: "/" });
  const paths: Record<string, Record<string, object>> = {};
  const routes = collectRoutes(appRouter);
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeOperation(route, generated) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Allowance", version, description: DESCRIPTION, license: { name: license, identifier: license } },
    servers: [{ url: "/", description: "This server" }],
    tags: [...new Set(routes.map(({ described }) => described.tag))],
    paths,
    components: COMPONENTS,
  };
}

function describeOperation(route: Route, document: OpenAPIObject): object {
  const { procedure, path, method, status, described } = route;
  const generated = document.paths?.[path]?.[method.toLowerCase() as "get"] as GeneratedOperation | undefined;
  if (!generated) throw new Error(`${procedure} is not in the generated document`);
  const { summary, description, tag, success, requests, answer, file, errors = {} } = described;
  const { requestBody, responses } = generated;
  const parameters = (generated.parameters ?? [])
    // The generator puts parameters in headers into the query too.
    .filter(({ in: place }) => !(route.inHeaders && place === "query"))
    .map(describeParameter);
  const body =
    requestBody && describeBody(requestBody.content["application/json"].schema, described.wantsAtLeastOne ?? false);
  const answered = plainly(responses[200].content["application/json"].schema);
  const ownHeaders = requestBody ? headers("Request-Id", "Ignored-Parameters") : headers("Request-Id");
  return {
    operationId: procedure,
    summary,
    description,
    tags: [tag.name],
    security: [
      { [SECURITY_SCHEME]: [] },
      ...(route.takesGatewayToken ? [{ [GATEWAY_SCHEME]: [] }] : []),
      ...(route.takesAnyKey ? [{ [ANY_KEY_SCHEME]: [] }] : []),
    ],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: body,
            examples: requests ?? { example: { summary: "Example", value: exampleOf(body) } },
          },
        },
      },
    }),
    responses: {
      [status]: {
        description: success,
        headers: ownHeaders,
        ...(status !== 204 && {
          content: file
            ? describeFile(file)
            : { "application/json": { schema: answered, example: answer ?? exampleOf(answered) } },
        }),
      },
      ...(requestBody && { 413: describeTooLong(described.maxBodyBytes) }),
      401: { $ref: "#/components/responses/Unauthorized" },
      ...(!route.takesAnyKey && { 403: { $ref: "#/components/responses/Forbidden" } }),
      429: { $ref: "#/components/responses/TooManyRequests" },
      // An endpoint with a 500 of its own answers with it when the database is away, too.
      ...(!errors[500] && { 503: { $ref: "#/components/responses/ServiceUnavailable" } }),
      ...Object.fromEntries(
        Object.entries(errors).map(([code, { when, examples, headers: more = [] }]) => [
          code,
          { ...errorResponse(when, examples), headers: { ...ownHeaders, ...headers(...more) } },
        ]),
      ),
    },
  };
}

function describeTooLong(maxBodyBytes: number | undefined): object {
  return maxBodyBytes === undefined
    ? { $ref: "#/components/responses/PayloadTooLarge" }
    : tooLongResponse(maxBodyBytes);
}

function describeFile(file: Readonly<Record<string, string>>): object {
  const types = Object.entries(file).map(([type, example]) => [type, { schema: { type: "string" }, example }]);
  return Object.fromEntries(types);
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example: unknown;
}

function describeParameter({ name, in: place, required = false, schema }: GeneratedParameter): Parameter {
  const { description, ...rest } = plainly(schema);
  return {
    name,
    in: place,
    required,
    ...(description !== undefined && { description }),
    schema: rest,
    example: exampleOf(rest),
  };
}
