import { randomUUID } from "node:crypto";
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import type { Logger } from "pino";
import { type AuthOptions, createSignInEndpoint } from "./auth/sign-in-endpoint";
import { browserOrigin, clientAddress, isFromAnotherSite } from "./auth/visitor";
import { browserCredentials, type ContextSource, createContext, headerOf } from "./context";
import { errors } from "./errors/catalogue";
import type { Failure } from "./errors/failure";
import { publicError } from "./errors/public-error";
import { requestErrors } from "./errors/request-errors";
import { guard, writeError } from "./rest/answer";
import { MAX_BODY_BYTES, readJsonObject } from "./rest/body";
import { createRestHandler, type Handled } from "./rest/handler";
import { apiDocument } from "./rest/openapi";
import { appRouter } from "./router";

export interface RequestListenerOptions {
  source: ContextSource;
  auth: AuthOptions;
  /** Whether the database answers at this moment. */
  isDatabaseReady(): Promise<boolean>;
  /** Next.js. */
  renderPage(request: IncomingMessage, response: ServerResponse): Promise<void>;
  log: Logger;
}

const TRPC_PREFIX = "/api/trpc/";
const AUTH_PREFIX = "/api/auth/";
/** A client may send a whole URL, as to a proxy. Only its path counts. */
const ORIGIN = /^https?:\/\/[^/?]*/i;

/**
 * Answers every request of the process: the REST API at `/v1`, tRPC at `/api/trpc`, signing in at `/api/auth`, probes,
 * `/openapi.json`, and pages for all other paths. Writes one line of log for each.
 */
export function createRequestListener({
  source,
  auth,
  isDatabaseReady,
  renderPage,
  log,
}: RequestListenerOptions): RequestListener {
  const rest = createRestHandler(appRouter, source);
  const signIn = createSignInEndpoint(auth, log);

  return async (request, response) => {
    const begun = performance.now();
    const requestId = randomUUID();
    try {
      const { status, path, error } = await dispatch(request, response, requestId);
      const ms = Math.round((performance.now() - begun) * 10) / 10;
      const line = { requestId, method: request.method, status, path, ms };
      if (error === undefined) log.info(line, "request");
      else log.error({ ...line, err: error }, "request failed");
    } catch (error) {
      log.error({ requestId, err: error }, "request failed");
      if (response.headersSent) response.destroy();
      else writeError(response, errors.internalError());
    }
  };

  function dispatch(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<Handled> | Handled {
    const url = (request.url ?? "").replace(ORIGIN, "");
    request.url = url;
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    if (!path.startsWith("/")) return refuse(response, requestErrors.noPath());
    if (path === "/v1" || path.startsWith("/v1/")) return rest(request, response, path, requestId);
    if (path.startsWith(TRPC_PREFIX)) {
      guard(response, requestId);
      return serveTrpc(request, response, path.slice(TRPC_PREFIX.length));
    }
    if (path.startsWith(AUTH_PREFIX)) {
      guard(response, requestId);
      return serveAuth(request, response, path.slice(AUTH_PREFIX.length - 1));
    }
    switch (path) {
      case "/healthz":
        return writePlain(response, 200, "text/plain", "ok\n", path);
      case "/readyz":
        return answerReadiness(response, path);
      case "/openapi.json":
        return apiDocument().then((document) => writePlain(response, 200, "application/json", document, path));
      default:
        return servePage(request, response, url);
    }
  }

  async function answerReadiness(response: ServerResponse, path: string): Promise<Handled> {
    return (await isDatabaseReady())
      ? writePlain(response, 200, "text/plain", "ready\n", path)
      : writePlain(response, 503, "text/plain", "the database does not answer\n", path);
  }

  async function servePage(request: IncomingMessage, response: ServerResponse, url: string): Promise<Handled> {
    // A layout of Next.js is not told which page it is for.
    request.headers["page-address"] = url;
    await renderPage(request, response);
    return { status: response.statusCode, path: "page" };
  }

  async function serveTrpc(request: IncomingMessage, response: ServerResponse, path: string): Promise<Handled> {
    if (!isDecodable(path)) return refuse(response, requestErrors.unknownPath());
    const header = headerOf(request);
    const credentials = browserCredentials(header, request.socket.remoteAddress ?? null, source);
    const isByCookie = credentials.authorization === undefined && credentials.session !== undefined;
    if (isByCookie && request.method !== "GET" && isFromAnotherSite(header, source.reach)) {
      return refuse(response, requestErrors.fromAnotherSite());
    }
    let error: unknown;
    await nodeHTTPRequestHandler({
      router: appRouter,
      path,
      req: request,
      res: response,
      maxBodySize: MAX_BODY_BYTES,
      createContext: () => createContext(source, credentials),
      onError: (failed) => {
        if (publicError(failed.error).status >= 500) error = failed.error;
      },
    });
    return { status: response.statusCode, path: TRPC_PREFIX, error };
  }

  async function serveAuth(request: IncomingMessage, response: ServerResponse, path: string): Promise<Handled> {
    const header = headerOf(request);
    const { reach } = source;
    if (request.method !== "GET" && isFromAnotherSite(header, reach))
      return refuse(response, requestErrors.fromAnotherSite());
    const origin = browserOrigin(header, reach);
    const peer = request.socket.remoteAddress ?? null;
    const failure = await signIn({
      request,
      response,
      path,
      origin,
      address: clientAddress(header, peer, reach),
      body: () => readJsonObject(request),
      caller: createContext(source, { ...browserCredentials(header, peer, source), authorization: undefined }).caller,
    });
    const logged = AUTH_PREFIX + path.slice(1);
    if (failure === undefined) return { status: response.statusCode, path: logged };
    const { error, retryAfter, status, code } = failure;
    if (retryAfter !== undefined) response.setHeader("Retry-After", retryAfter);
    writeError(response, failure, code === undefined ? {} : { code });
    return { status, path: status === 404 ? "unknown" : logged, error };
  }
}

function refuse(response: ServerResponse, failure: Failure): Handled {
  writeError(response, failure);
  return { status: failure.status, path: "unknown" };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function writePlain(response: ServerResponse, status: number, type: string, body: string, path: string): Handled {
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
  });
  response.end(body);
  return { status, path };
}

/** Answers a request that is not HTTP, arrives too slowly or has too large headers, in the shape of all errors. */
export function answerMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const { status, message } = malformation(error.code);
  const body = JSON.stringify({ success: false, error: message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nRequest-Id: ${randomUUID()}\r\n\r\n${body}`,
  );
}

function malformation(code: string | undefined): Failure {
  if (code === "HPE_HEADER_OVERFLOW") return requestErrors.headersTooLarge();
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return requestErrors.requestTooSlow();
  return requestErrors.notHttp();
}
