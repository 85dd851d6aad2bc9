import type { OpenAPIObject } from "trpc-to-openapi";
import { license, version } from "@/package.json";
import { appRouter } from "../router";
import { COMPONENTS, errorResponse, GATEWAY_SCHEME, headers, SECURITY_SCHEME } from "./openapi-components";
import { extensionFacts } from "./openapi-extension";
import { FACTS } from "./openapi-facts";
import { describeBody, exampleOf, plainly, type Schema } from "./openapi-schema";
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

**Authorizations** make the limits true: before a call, a gateway has the most that it may cost held on its caller's key
(\`POST /v1/authorizations\`), and after it captures what it really cost, or voids the hold. A gateway of the operator
carries one of the tokens in \`GATEWAY_TOKENS\` instead of a default key: good for the keys of every account, and for
these operations alone.

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
  summary: string;
  description: string;
  tags: string[];
  parameters?: GeneratedParameter[];
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
      { name: "API keys", description: "Create keys, read and change them, set their limits." },
      { name: "Groups", description: "Create, list and change groups, and set the limits of every key in a group." },
      { name: "Account", description: "Read the account and change its settings." },
      { name: "Authorizations", description: "Hold an amount before a call, and count what it cost after." },
      { name: "Usage", description: "What was spent, by day." },
      { name: "History", description: "What was changed: by whom, when, from where, before and after." },
    ],
    paths,
    components: COMPONENTS,
  };
}

function describeOperation(route: Route, document: OpenAPIObject): object {
  const { procedure, path, method, status } = route;
  const generated = document.paths?.[path]?.[method.toLowerCase() as "get"] as GeneratedOperation | undefined;
  if (!generated) throw new Error(`${procedure} is not in the generated document`);
  const { summary, description, tags, requestBody, responses } = generated;
  const parameters = (generated.parameters ?? [])
    // The generator puts what stands in headers into the query too.
    .filter(({ in: place }) => !(route.inHeaders && place === "query"))
    .map(describeParameter);
  const body = requestBody && describeBody(requestBody.content["application/json"].schema);
  const answer = plainly(responses[200].content["application/json"].schema);
  const facts = FACTS[procedure] ?? extensionFacts(route, { parameters, body, answer });
  const bodyHeaders = requestBody ? headers("Request-Id", "Ignored-Parameters") : headers("Request-Id");
  return {
    operationId: procedure,
    summary,
    description,
    tags,
    security: [{ [SECURITY_SCHEME]: [] }, ...(route.takesGatewayToken ? [{ [GATEWAY_SCHEME]: [] }] : [])],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { "application/json": { schema: body, examples: facts.request } } },
    }),
    responses: {
      [status]: {
        description: facts.success,
        headers: bodyHeaders,
        ...(facts.response && { content: { "application/json": { schema: answer, example: facts.response } } }),
      },
      ...(requestBody && { 413: { $ref: "#/components/responses/PayloadTooLarge" } }),
      401: { $ref: "#/components/responses/Unauthorized" },
      403: { $ref: "#/components/responses/Forbidden" },
      // Where the contract has a 500 of its own, it covers the database's failures too.
      ...(!facts.errors[500] && { 503: { $ref: "#/components/responses/ServiceUnavailable" } }),
      ...Object.fromEntries(
        Object.entries(facts.errors).map(([code, { when, examples, headers: more = [] }]) => [
          code,
          { ...errorResponse(when, examples), headers: { ...bodyHeaders, ...headers(...more) } },
        ]),
      ),
    },
  };
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
