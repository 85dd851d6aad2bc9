import { TRPCError } from "@trpc/server";
import { type ContextSource, createContext, type Recognized } from "../context";
import { type PublicError, publicError } from "../errors/public-error";
import { requestErrors } from "../errors/request-errors";
import { type ApiRequest, FastRequest } from "../fast-path/request";
import { type Answer, guard, guardsOf, setRate, writeError, writeJson } from "./answer";
import { readJsonObject } from "./body";
import { type FilePart, writeFile } from "./file";
import { readHeaders } from "./headers";
import { readQuery } from "./query";
import type { KnownNames, MatchRoute, Route, RouteMatch } from "./routes";

/** What the log contains of an answered request. The path is the documented one, so that no id in a path is logged. */
export interface Handled {
  status: number;
  path: string;
  /** The unexpected error behind a 500, or the error of the database behind a 503. */
  error?: unknown;
}

/** Who sends a request. */
export interface Visitor {
  /** IP address of the client. */
  address: string | null;
  /** What is found out of the sender, for the log. */
  recognized: Recognized;
}

export type RestHandler = (
  request: ApiRequest,
  response: Answer,
  path: string,
  requestId: string,
  visitor: Visitor,
) => Promise<Handled>;

const MAX_NAMES_REPORTED = 20;
/** Of so many objects of a list the names are looked at. No list may have more. */
const MAX_OBJECTS_READ = 10_000;
/** Of all names together. A proxy refuses an answer with headers of more than 4,000 bytes, where it is set up as nginx is at first. */
const MAX_REPORTED_LENGTH = 2_000;

/**
 * The REST API: finds the procedure of a path, calls it, and writes its result, or its error as
 * `{"success": false, "error": …}` (docs/api.md#errors). The procedures themselves check access and input.
 */
export function createRestHandler(match: MatchRoute, source: ContextSource): RestHandler {
  return async (request, response, path, requestId, { address, recognized }) => {
    const found = match(path);
    const route = found?.methods.get(request.method ?? "");
    if (!found || !route) {
      guard(response, requestId);
      return found ? answerOtherMethod(response, found) : answerError(response, requestErrors.unknownPath(), "unknown");
    }
    let ignored: readonly string[] = [];
    try {
      // A program sends a key, and no cookie counts.
      const { authorization } = request.headers;
      const credentials = { authorization, sessions: [], address, isWhole: request instanceof FastRequest };
      const context = createContext(source, credentials, recognized, (rate) => setRate(response, rate));
      // The procedure reads the input when it knows its caller, so that nobody waits for the body of a stranger
      // (docs/api.md#order-of-checks).
      const result = await route.invoke(context, () =>
        readInput(request, route, found, (names) => {
          ignored = names;
        }),
      );
      reportIgnored(response, ignored);
      if (route.described.file) {
        const query = readQuery(request.url ?? "", route);
        const next = (after: string) =>
          route.invoke(context, async () => ({ ...query, ...found.pathParameters, after }));
        await writeFile(response, result as FilePart, next, guardsOf(requestId));
      } else if (route.status === 204) response.writeHead(204, guardsOf(requestId)).end();
      else writeJson(response, route.status, result, guardsOf(requestId));
      return { status: route.status, path: route.path };
    } catch (cause) {
      const error = cause instanceof TRPCError ? cause : new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause });
      guard(response, requestId);
      // Who is not recognised learns nothing of the parameters.
      if (recognized.account !== undefined || recognized.gateway !== undefined) reportIgnored(response, ignored);
      const handled = answerError(response, publicError(error), route.path);
      return handled.status >= 500 ? { ...handled, error } : handled;
    }
  };
}

function answerError(response: Answer, error: PublicError, path: string): Handled {
  writeError(response, error);
  return { status: error.status, path };
}

function answerOtherMethod(response: Answer, { methods }: RouteMatch): Handled {
  const allowed = [...methods.keys()].join(", ");
  response.setHeader("Allow", allowed);
  const [route] = methods.values();
  return answerError(response, requestErrors.methodNotAllowed(allowed), route?.path ?? "");
}

/**
 * The input of a procedure, or a promise of it where the request has a body that may still arrive.
 * @param ignore gets the names of the parameters that the route does not know, the first 20 of them.
 */
function readInput(
  request: ApiRequest,
  route: Route,
  { pathParameters }: RouteMatch,
  ignore: (names: readonly string[]) => void,
): unknown {
  if (route.inHeaders) return readHeaders(request.headers, route);
  if (route.method === "GET") return { ...readQuery(request.url ?? "", route), ...pathParameters };
  if (!route.takesBody) return pathParameters;
  const body = readJsonObject(request, route.described.maxBodyBytes);
  if (!(body instanceof Promise)) return inputIn(body, route, pathParameters, ignore);
  return body.then((read) => inputIn(read, route, pathParameters, ignore));
}

function inputIn(
  body: Record<string, unknown>,
  route: Route,
  pathParameters: RouteMatch["pathParameters"],
  ignore: (names: readonly string[]) => void,
): unknown {
  const ignored = Object.keys(body).filter((name) => !route.parameters.has(name) || name in pathParameters);
  for (const name of ignored) delete body[name];
  const reported = new Set(ignored.slice(0, MAX_NAMES_REPORTED));
  for (const [name, known] of route.objects) {
    for (const unknown of unknownIn(name, body[name], known)) {
      // A client may send more names than the process has memory for.
      if (reported.size === MAX_NAMES_REPORTED) break;
      reported.add(unknown);
    }
  }
  ignore([...reported]);
  return Object.assign(body, pathParameters);
}

/**
 * What an object, or the objects of a list, have that they do not know: `keys.bugdet`. Objects in them are looked into too:
 * `before.defaults.bugdet`.
 */
function* unknownIn(parameter: string, sent: unknown, { names, objects }: KnownNames): Generator<string> {
  const values = Array.isArray(sent) ? sent.slice(0, MAX_OBJECTS_READ) : [sent];
  const found = values.filter(isObject);
  for (const object of found) {
    for (const name in object) if (!names.has(name)) yield `${parameter}.${name}`;
  }
  for (const [name, known] of objects) {
    for (const object of found) yield* unknownIn(`${parameter}.${name}`, object[name], known);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value instanceof Object && !Array.isArray(value);
}

/** Names the ignored parameters in the answer, so that a misspelt one is noticed (docs/api.md#unknown-parameters). */
function reportIgnored(response: Answer, ignored: readonly string[]): void {
  if (ignored.length === 0) return;
  let report = "";
  for (const name of ignored) {
    const shown = encodeURIComponent(name.toWellFormed().slice(0, 64).toWellFormed());
    const longer = report === "" ? shown : `${report}, ${shown}`;
    if (longer.length > MAX_REPORTED_LENGTH) break;
    report = longer;
  }
  response.setHeader("Ignored-Parameters", report);
}
