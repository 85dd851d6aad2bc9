import type { IncomingMessage, ServerResponse } from "node:http";
import { callTRPCProcedure, TRPCError } from "@trpc/server";
import { type ContextSource, createContext, credentialsOf } from "../context";
import { type PublicError, publicError } from "../errors";
import type { AppRouter } from "../router";
import { readJsonObject } from "./body";
import { readHeaders } from "./headers";
import { readQuery } from "./query";
import { collectRoutes, type Route, type RouteMatch, routeMatcher } from "./routes";

/** What the log says of an answered request. The path is the documented one, so that no key in a path is ever logged. */
export interface Handled {
  status: number;
  path: string;
  /** The unforeseen error behind a 500, or the database's behind a 503. */
  error?: unknown;
}

export type RestHandler = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<Handled>;

const MAX_NAMES_REPORTED = 20;

/**
 * The REST door: finds the procedure of a path, calls it, and writes its result, or its error as
 * `{"success": false, "error": …}` (contract, section 7). Validation, limits and access are the procedures' own.
 */
export function createRestHandler(router: AppRouter, source: ContextSource): RestHandler {
  const match = routeMatcher(collectRoutes(router));

  return async (request, response, path) => {
    const found = match(path);
    if (!found) return answerError(response, { status: 404, message: "unknown path" }, "unknown");
    const route = found.methods.get(request.method ?? "");
    if (!route) return answerOtherMethod(response, found);
    try {
      const result = await callTRPCProcedure({
        router,
        path: route.procedure,
        type: route.type,
        ctx: createContext(source, credentialsOf(request, source)),
        // Called only once the caller is recognised: nobody's body is read before that.
        getRawInput: () => readInput(request, response, route, found),
        signal: undefined,
        batchIndex: 0,
      });
      if (route.status === 204) response.writeHead(204).end();
      else writeJson(response, route.status, result);
      return { status: route.status, path: route.path };
    } catch (cause) {
      const error = cause instanceof TRPCError ? cause : new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause });
      const answer = publicError(error);
      const handled = answerError(response, answer, route.path);
      return answer.status >= 500 ? { ...handled, error } : handled;
    }
  };
}

/** Writes the contract's error shape. */
export function writeError(response: ServerResponse, { status, message, code, refusal }: PublicError): void {
  if (status === 401) response.setHeader("WWW-Authenticate", "Bearer");
  if (status === 503) response.setHeader("Retry-After", "1");
  if (refusal !== undefined) response.setHeader("Allowance-Code", refusal);
  writeJson(response, status, { success: false, error: message, ...(code !== undefined && { code }) });
}

function answerError(response: ServerResponse, error: PublicError, path: string): Handled {
  writeError(response, error);
  return { status: error.status, path };
}

function answerOtherMethod(response: ServerResponse, { methods }: RouteMatch): Handled {
  const allowed = [...methods.keys()].join(", ");
  response.setHeader("Allow", allowed);
  const [route] = methods.values();
  return answerError(response, { status: 405, message: `method not allowed; allowed: ${allowed}` }, route?.path ?? "");
}

async function readInput(
  request: IncomingMessage,
  response: ServerResponse,
  route: Route,
  { pathParameters }: RouteMatch,
): Promise<unknown> {
  if (route.inHeaders) return readHeaders(request.headers, route);
  if (route.method === "GET") return { ...readQuery(request.url ?? "", route), ...pathParameters };
  // What stands in the path alone wants no body.
  if ([...route.parameters].every((name) => name in pathParameters)) return pathParameters;
  const body = await readJsonObject(request);
  const named = Object.entries(body).filter(([name]) => route.parameters.has(name) && !(name in pathParameters));
  if (named.length < Object.keys(body).length) reportIgnored(response, body, named);
  return { ...Object.fromEntries(named), ...pathParameters };
}

/** Names in the answer what was ignored, so that a misspelt limit can be seen. */
function reportIgnored(response: ServerResponse, body: object, named: [string, unknown][]): void {
  const taken = new Set(named.map(([name]) => name));
  const ignored = Object.keys(body).filter((name) => !taken.has(name));
  const shown = ignored
    .slice(0, MAX_NAMES_REPORTED)
    .map((name) => encodeURIComponent(name.toWellFormed().slice(0, 64).toWellFormed()));
  response.setHeader("Ignored-Parameters", shown.join(", "));
}

function writeJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}
