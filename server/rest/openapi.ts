import { license, version } from "@/package.json";
import { errorBody } from "../errors/error-body";
import { appRouter } from "../router";
import { COMPONENTS } from "./openapi-components";
import { describeOperation } from "./openapi-operation";
import { describeSchema, type NamedSchemas } from "./openapi-schema";
import { collectRoutes } from "./routes";

/**
 * The description of the REST API that `/openapi.json` serves, in OpenAPI 3.1. trpc-to-openapi finds the operations among the
 * procedures. What is said of each is rendered from its schemas and its metadata (server/endpoint.ts), because the generator
 * knows neither the shape of errors nor headers, and loses the examples of optional parameters.
 */
export function apiDocument(): Promise<string> {
  document ??= describeApi().then((described) => JSON.stringify(described, null, 2));
  return document;
}

let document: Promise<string> | undefined;

const DESCRIPTION = `Allowance manages API keys, the groups they belong to, and their limits.

**Authorization.** Every request carries the default key of an account: \`Authorization: Bearer <API_KEY>\`. An account
and its default key come from the machine that runs the service:
\`npm run -s account:create -- --email owner@example.com\`. The keys created here read their own limits
(\`GET /v1/allowance\`), and are refused with 403 everywhere else.

**Authorizations** make the limits true: before a call, a gateway has the most that it may cost held on its caller's key
(\`POST /v1/authorizations\`), and after it captures what it really cost, or voids the hold. A gateway of the operator
carries a token of its own instead of a default key, made by \`npm run -s gateway:create\` or set in \`GATEWAY_TOKENS\`:
good for the keys of every account, or of some, and for these operations and the models of a key
(\`GET /v1/apikeys/{apikey_id}/models\`) alone.

**Limits.** Amounts are in yuan, prices in yuan per million tokens. 0 means no limit. In an answer, \`null\` means not set.
Amounts are kept to nine decimals; a positive one so small that it would become 0 is refused.

**Unknown parameters** in a body are ignored. Their names come back in the header \`Ignored-Parameters\`.

**Errors** have one shape: \`{"success": false, "error": "…"}\`. The text names each parameter at fault.`;

async function describeApi(): Promise<object> {
  // Imported only now: a start-up does not need it.
  const { generateOpenApiDocument } = await import("trpc-to-openapi");
  const generated = generateOpenApiDocument(appRouter, { title: "Allowance", version, baseUrl: "/" });
  const named: NamedSchemas = new Map();
  describeSchema(errorBody, "output", named);
  const paths: Record<string, Record<string, object>> = {};
  const routes = collectRoutes(appRouter);
  for (const route of routes) {
    const method = route.method.toLowerCase() as "get" | "post";
    if (!generated.paths?.[route.path]?.[method]) throw new Error(`${route.procedure} is no operation of the document`);
    paths[route.path] = { ...paths[route.path], [method]: describeOperation(route, named) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Allowance",
      version,
      description: DESCRIPTION,
      contact: { name: "Whoever operates this server" },
      license: { name: license, identifier: license },
    },
    servers: [{ url: "/", description: "This server" }],
    tags: [...new Set(routes.map(({ described }) => described.tag))],
    paths,
    components: {
      ...COMPONENTS,
      schemas: Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  };
}
