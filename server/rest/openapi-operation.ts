import {
  ANY_KEY_SCHEME,
  errorResponse,
  GATEWAY_SCHEME,
  headers,
  RATE_LIMIT,
  SECURITY_SCHEME,
  tooLongResponse,
} from "./openapi-components";
import { describeSchema, exampleOf, type NamedSchemas, nameSchema, type Schema } from "./openapi-schema";
import type { Route } from "./routes";
import { smallestBody } from "./smallest-body";

/** One operation of the document. The schemas that it refers to are added to `named`. */
export function describeOperation(route: Route, named: NamedSchemas): object {
  const { status, described } = route;
  const { summary, description, tag, success, file, errors = {} } = described;
  const operationId = operationIdOf(route);
  const input = route.input ? describeSchema(route.input, "input", named) : {};
  const parameters = parametersOf(route, input).map((parameter) => describeParameter(parameter, named));
  const requestBody = describeBody(route, input, `${capitalized(operationId)}Input`, named);
  const [request] = Object.values(described.requests ?? {});
  const ownHeaders = requestBody ? headers("Request-Id", "Ignored-Parameters") : headers("Request-Id");
  return {
    operationId,
    summary,
    description,
    tags: [tag.name],
    security: [
      { [SECURITY_SCHEME]: [] },
      ...(route.takesGatewayToken ? [{ [GATEWAY_SCHEME]: [] }] : []),
      ...(route.takesAnyKey ? [{ [ANY_KEY_SCHEME]: [] }] : []),
    ],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    // OpenAPI has an example of one header, but not of those that go together.
    ...(route.inHeaders && request && { "x-example-headers": request.value }),
    responses: {
      [status]: {
        description: success,
        headers: { ...ownHeaders, ...headers(...RATE_LIMIT), ...(file && headers("Content-Disposition")) },
        ...(status !== 204 && {
          content: file ? describeFile(file) : describeAnswer(route, `${capitalized(operationId)}Result`, named),
        }),
      },
      ...(requestBody && { 413: describeTooLong(described.maxBodyBytes) }),
      401: { $ref: "#/components/responses/Unauthorized" },
      ...(!route.takesAnyKey && { 403: { $ref: "#/components/responses/Forbidden" } }),
      429: { $ref: "#/components/responses/TooManyRequests" },
      // An endpoint with a 500 of its own answers with it when the database is away, too.
      ...(!errors[500] && { 503: { $ref: "#/components/responses/ServiceUnavailable" } }),
      ...Object.fromEntries(
        Object.entries(errors).map(([code, { when, examples, headers: more = [], body }]) => [
          code,
          {
            ...errorResponse(when, examples, body && describeSchema(body, "output", named)),
            headers: { ...ownHeaders, ...headers(...more) },
          },
        ]),
      ),
    },
  };
}

/** The name of an operation: its own, else `listGroups` for the procedure `groups.list`. */
function operationIdOf({ procedure, described }: Route): string {
  const [noun = "", verb = ""] = procedure.split(".");
  return described.operationId ?? `${verb}${capitalized(noun)}`;
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: Schema;
}

/** The parameters of an operation: those of its path, and where it reads no body, all others. */
function parametersOf(route: Route, { properties = {}, required = [] }: Schema): Parameter[] {
  const elsewhere = route.inHeaders ? "header" : "query";
  return Object.entries(properties).flatMap(([name, schema]): Parameter[] => {
    if (isInPath(route, name)) return [{ name, in: "path", required: true, schema }];
    return sendsBody(route) ? [] : [{ name, in: elsewhere, required: required.includes(name), schema }];
  });
}

function isInPath({ path }: Route, name: string): boolean {
  return path.includes(`{${name}}`);
}

function sendsBody({ method, takesBody }: Route): boolean {
  return method !== "GET" && takesBody;
}

function describeParameter({ schema, ...parameter }: Parameter, named: NamedSchemas): object {
  const { description, examples: _, ...rest } = schema;
  return { ...parameter, ...(description && { description }), schema: rest, example: exampleOf(schema, named) };
}

function describeBody(
  route: Route,
  { properties = {}, required = [], ...rest }: Schema,
  name: string,
  named: NamedSchemas,
): object | undefined {
  if (!sendsBody(route)) return undefined;
  const inBody = Object.entries(properties).filter(([each]) => !isInPath(route, each));
  const inPath = Object.entries(properties).filter(([each]) => isInPath(route, each));
  const needed = required.filter((each) => !isInPath(route, each));
  const schema: Schema = {
    ...rest,
    properties: Object.fromEntries(inBody),
    ...(needed.length > 0 && { required: needed }),
  };
  const examples = route.described.requests ?? {
    example: { summary: "Example", value: exampleOf(schema, named, "every") as object },
  };
  const parameters = Object.fromEntries(inPath.map(([each, field]) => [each, exampleOf(field, named)]));
  const least = smallestBody(
    (body) => route.input?.safeParse({ ...parameters, ...body }).success ?? false,
    Object.values(examples).map(({ value }) => value),
  );
  if (least > needed.length) schema.minProperties = least;
  return { required: true, content: { "application/json": { schema: nameSchema(name, schema, named), examples } } };
}

function describeAnswer({ output, described }: Route, name: string, named: NamedSchemas): object {
  const schema = describeSchema(output, "output", named);
  const example = { ...(exampleOf(schema, named) as object), ...described.answer };
  return { "application/json": { schema: nameSchema(name, schema, named), example } };
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
