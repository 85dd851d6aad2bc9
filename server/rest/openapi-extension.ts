import { type Examples, failure, type OperationFacts } from "./openapi-facts";
import { exampleOf, type Schema } from "./openapi-schema";
import type { Route } from "./routes";

/** The schemas of one operation, in plain words. */
export interface OperationSchemas {
  parameters: { name: string; schema: Schema }[];
  body: Schema | undefined;
  answer: Schema;
}

/**
 * What the document says of an operation that extends the contract: put together from the procedure's metadata and from
 * the examples of its fields.
 */
export function extensionFacts(route: Route, { parameters, body, answer }: OperationSchemas): OperationFacts {
  const fields = [...Object.entries(body?.properties ?? {}), ...parameters.map(({ name, schema }) => [name, schema])];
  const inPath = parameters.filter(({ name }) => route.path.includes(`{${name}}`));
  return {
    success: route.success ?? "Done.",
    ...(body && { request: { example: { summary: "Example", value: exampleOf(body) } } }),
    response: exampleOf(answer) as object,
    errors: Object.fromEntries(
      Object.entries(errorsOf(route, fields.length > 0)).map(([status, when]) => [
        status,
        { when, examples: errorExamples(Number(status), route, fields as [string, Schema][], inPath[0]?.name) },
      ]),
    ),
  };
}

function errorsOf({ errors }: Route, takesInput: boolean): Record<number, string> {
  const wrongInput = "A parameter is missing, or has the wrong type or value.";
  return { ...(takesInput && { 400: wrongInput }), ...errors };
}

function errorExamples(status: number, route: Route, fields: [string, Schema][], inPath: string | undefined): Examples {
  switch (status) {
    case 404:
      return { notFound: failure("Unknown", notFound(inPath ?? "")) };
    case 409:
      return { conflict: failure("Conflict", conflict(route)) };
    default: {
      const [name, schema] = fields.find(([field]) => field !== inPath) ?? fields[0] ?? ["", {}];
      return { wrongType: failure("Wrong type", `${name}: ${typeFault(schema)}`) };
    }
  }
}

function notFound(parameter: string): string {
  switch (parameter) {
    case "group_id":
      return "group_id: the group does not exist";
    case "authorization_id":
      return "authorization_id: the authorization does not exist";
    default:
      return "apikey_id: the API key does not exist";
  }
}

function conflict({ parameters }: Route): string {
  if (parameters.has("version")) return "version: the API key was changed meanwhile; read it again";
  if (parameters.has("ungroup_keys")) return "ungroup_keys: must be true, because the group has 3 API keys";
  if (parameters.has("request_id")) return "request_id: was used before, for another amount";
  return "authorization_id: the authorization is voided";
}

function typeFault({ type, pattern, enum: choices }: Schema): string {
  const [first] = [type].flat();
  if (choices) return `must be one of ${choices.join(", ")}`;
  if (pattern) return "must be a valid ObjectId of 24 hexadecimal characters";
  if (first === "array") return "expected array of strings, received string";
  if (first === "boolean") return "expected boolean, received string";
  return first === "string" ? "expected string, received number" : "expected number (int), received string";
}
