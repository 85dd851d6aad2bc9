import type { IncomingMessage, ServerResponse } from "node:http";
import { callTRPCProcedure, TRPCError } from "@trpc/server";
import { type ContextSource, createContext, credentialsOf } from "../context";
import { type PublicError, publicError } from "../errors/public-error";
import { requestErrors } from "../errors/request-errors";
import type { AppRouter } from "../router";
import { readJsonObject } from "./body";
import { readHeaders } from "./headers";
import { readQuery } from "./query";
import { collectRoutes, type Route, type RouteMatch, routeMatcher } from "./routes";

/** What the log contains of an answered request. The path is the documented one, so that no id in a path is logged. */
export interface Handled {
  status: number;
  path: string;
  /** The unexpected error behind a 500, or the error of the database behind a 503. */
  error?: unknown;
}

export type RestHandler = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<Handled>;

const MAX_NAMES_REPORTED = 20;

/**
 * The REST API: finds the procedure of a path, calls it, and writes its result, or its error as
 * `{"success": false, "error": …}` (docs/api.md#errors). The procedures themselves check access and input.
 */
export function createRestHandler(router: AppRouter, source: ContextSource): RestHandler {
  const match = routeMatcher(collectRoutes(router));

  return async (request, response, path) => {
    const found = match(path);
    if (!found) return answerError(response, requestErrors.unknownPath(), "unknown");
    const route = found.methods.get(request.method ?? "");
    if (!route) return answerOtherMethod(response, found);
    try {
      const result = await callTRPCProcedure({
        router,
        path: route.procedure,
        type: route.type,
        ctx: createContext(source, credentialsOf(request, source)),
        // tRPC calls this after the caller was recognised, so that no body is read before (docs/api.md#order-of-checks).
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

/** Writes an error in the shape that every error has. `more` are further fields of the body. */
export function writeError(
  response: ServerResponse,
  { status, message, values }: Pick<PublicError, "status" | "message" | "values">,
  more: { code?: string } = {},
): void {
  if (status === 401) response.setHeader("WWW-Authenticate", "Bearer");
  if (status === 503) response.setHeader("Retry-After", "1");
  if (values.refusal !== undefined) response.setHeader("Allowance-Code", values.refusal);
  writeJson(response, status, { success: false, error: message, ...more });
}

function answerError(response: ServerResponse, error: PublicError, path: string): Handled {
  writeError(response, error);
  return { status: error.status, path };
}

function answerOtherMethod(response: ServerResponse, { methods }: RouteMatch): Handled {
  const allowed = [...methods.keys()].join(", ");
  response.setHeader("Allow", allowed);
  const [route] = methods.values();
  return answerError(response, requestErrors.methodNotAllowed(allowed), route?.path ?? "");
}

async function readInput(
  request: IncomingMessage,
  response: ServerResponse,
  route: Route,
  { pathParameters }: RouteMatch,
): Promise<unknown> {
  if (route.inHeaders) return readHeaders(request.headers, route);
  if (route.method === "GET") return { ...readQuery(request.url ?? "", route), ...pathParameters };
  // All parameters are in the path, so there is no body to read.
  if ([...route.parameters].every((name) => name in pathParameters)) return pathParameters;
  const body = await readJsonObject(request);
  const named = Object.entries(body).filter(([name]) => route.parameters.has(name) && !(name in pathParameters));
  if (named.length < Object.keys(body).length) reportIgnored(response, body, named);
  return { ...Object.fromEntries(named), ...pathParameters };
}

/** Names the ignored parameters in the answer, so that a misspelt one is noticed (docs/api.md#unknown-parameters). */
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
