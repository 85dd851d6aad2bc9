import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { getTRPCErrorFromUnknown } from "@trpc/server";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import type { Logger } from "pino";
import { type AuthOptions, createSignInEndpoint } from "./auth/sign-in-endpoint";
import { browserOrigin, clientAddress, isFromAnotherSite } from "./auth/visitor";
import { BUILD_FILES_PATH } from "./build-files";
import { browserCredentials, type ContextSource, createContext, headerOf, type Recognized } from "./context";
import { errors } from "./errors/catalogue";
import type { Failure } from "./errors/failure";
import { failWith, type PublicError, publicError } from "./errors/public-error";
import { requestErrors } from "./errors/request-errors";
import type { FastAnswer } from "./fast-path/answer";
import type { ApiRequest, FastRequest } from "./fast-path/request";
import type { MetricsEndpoint } from "./metrics/endpoint";
import { beginRequest, countRefusal, countRequest } from "./metrics/requests";
import { refuseOtherMethod, writePlain } from "./plain-answer";
import { withContexts } from "./promise-hooks";
import { answerProbe, PROBES, type Readiness } from "./readiness";
import { type Answer, type ErrorDetails, guard, guardsOf, setRate, writeError } from "./rest/answer";
import { MAX_BODY_BYTES, readJsonObject, readText } from "./rest/body";
import { createRestHandler, type Handled, type Visitor } from "./rest/handler";
import { answerApiDocument } from "./rest/openapi-answer";
import { collectRoutes, routeMatcher } from "./rest/routes";
import { appRouter } from "./router";
import { DATA_HEADERS, pageHeaders, setHeaders, transportHeaders } from "./security-headers";
import { activeTracing } from "./tracing/active-tracing";

export interface RequestHandlersOptions {
  source: ContextSource;
  auth: AuthOptions;
  readiness: Readiness;
  metrics: MetricsEndpoint;
  /** Next.js. */
  renderPage(request: IncomingMessage, response: ServerResponse): Promise<void>;
  log: Logger;
}

const TRPC_PREFIX = "/api/trpc/";
/** The most calls that one request to tRPC may make. */
const MAX_BATCH_CALLS = 10;
const AUTH_PREFIX = "/api/auth/";
const METRICS_PATH = "/metrics";
/** Files of the build. They are no pages. Browsers may keep them. */
const isBuildFile = (path: string) => path.startsWith(BUILD_FILES_PATH) || path === "/icon.svg";
/** A client may send a whole URL, as to a proxy. Only its path counts. */
const ORIGIN = /^https?:\/\/[^/?]*/i;

/** What a supervisor and Prometheus ask all day. The log of a quiet server would be full of it. */
const ROUTINE = new Set([...PROBES, METRICS_PATH]);
const isRoutine = (path: string, status: number) => status === 200 && ROUTINE.has(path);

/** The page under way. */
interface Visit {
  /** Who was recognised by the procedures that it has called. */
  recognized: Recognized;
  setStatus(status: number): void;
}

export const visit = new AsyncLocalStorage<Visit>();

/** Answers the requests of a process. */
export interface RequestHandlers {
  /** Answers any request that `node:http` has read. */
  handle: RequestListener;
  /** Answers a request to `/v1` that the fast path has read. */
  handleFast(request: FastRequest, answer: FastAnswer): void;
  /** Whether the fast path takes a `GET` of this path: there is such an endpoint, and it does not answer with a file. */
  takesGet(path: string): boolean;
}

/**
 * Answers every request of the process: the REST API at `/v1`, tRPC at `/api/trpc`, signing in at `/api/auth`, probes,
 * `/openapi.json`, and pages for all other paths. Writes one line of log for each, of the level debug for a probe that
 * finds all well.
 */
export function createRequestHandlers({
  source,
  auth,
  readiness,
  metrics,
  renderPage,
  log,
}: RequestHandlersOptions): RequestHandlers {
  const routes = collectRoutes(appRouter);
  const match = routeMatcher(routes);
  const rest = createRestHandler(match, source);
  const bodyLimits = new Map(routes.map(({ procedure, described }) => [procedure, described.maxBodyBytes]));
  const signIn = createSignInEndpoint(auth, log);
  const transport = transportHeaders(source.reach.publicUrl);

  return {
    handle: (request, response) =>
      void serve(request, response, (requestId, visitor) => dispatch(request, response, requestId, visitor)),
    handleFast: (request, answer) =>
      void serve(request, answer, (requestId, visitor) => rest(request, answer, request.url, requestId, visitor)),
    takesGet(path) {
      const route = match(path)?.methods.get("GET");
      return route !== undefined && route.described.file === undefined;
    },
  };

  async function serve(
    request: ApiRequest,
    response: Answer,
    work: (requestId: string, visitor: Visitor) => Promise<Handled> | Handled,
  ): Promise<void> {
    const begun = performance.now();
    const requestId = randomUUID();
    const address = clientAddress(headerOf(request), request.socket.remoteAddress ?? null, source.reach);
    const recognized: Recognized = {};
    const visitor = { address, recognized };
    setHeaders(response, transport);
    beginRequest();
    const traced: { traceId?: string } = {};
    try {
      const tracing = activeTracing();
      const { status, path, error } = await (tracing === undefined
        ? work(requestId, visitor)
        : tracing.traceRequest(request, requestId, async (traceId) => {
            traced.traceId = traceId;
            return work(requestId, visitor);
          }));
      const took = performance.now() - begun;
      countRequest(request.method, path, status, took);
      const ms = Math.round(took * 10) / 10;
      const line = { requestId, method: request.method, status, path, ms, address, ...recognized, ...traced };
      if (error === undefined) log[isRoutine(path, status) ? "debug" : "info"](line, "request");
      else log.error({ ...line, err: error }, "request failed");
    } catch (error) {
      countRequest(request.method, "unknown", 500, performance.now() - begun);
      log.error({ requestId, address, ...recognized, ...traced, err: error }, "request failed");
      if (response.headersSent) response.destroy();
      else {
        guard(response, requestId);
        writeError(response, errors.internalError());
      }
    }
  }

  function dispatch(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    visitor: Visitor,
  ): Promise<Handled> | Handled {
    const url = (request.url ?? "").replace(ORIGIN, "");
    request.url = url;
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    if (path === "/v1" || path.startsWith("/v1/")) return rest(request, response, path, requestId, visitor);
    setHeaders(response, DATA_HEADERS);
    if (!path.startsWith("/")) return refuse(response, requestErrors.noPath());
    if (path.startsWith(TRPC_PREFIX)) {
      guard(response, requestId);
      return withContexts(() => serveTrpc(request, response, path.slice(TRPC_PREFIX.length), visitor));
    }
    if (path.startsWith(AUTH_PREFIX)) {
      guard(response, requestId);
      return withContexts(() => serveAuth(request, response, path.slice(AUTH_PREFIX.length - 1), visitor));
    }
    if (path === "/openapi.json") {
      return (
        refuseOtherMethod(request, response, path) ??
        answerApiDocument(request, response).then((status) => ({ status, path }))
      );
    }
    if (path === METRICS_PATH) {
      return refuseOtherMethod(request, response, path) ?? answerMetrics(request, response, path);
    }
    return (
      answerProbe(request, path, response, readiness) ??
      withContexts(() => servePage(request, response, url, path, visitor))
    );
  }

  async function answerMetrics(request: IncomingMessage, response: ServerResponse, path: string): Promise<Handled> {
    if (!metrics.mayRead(request.headers.authorization)) {
      return { ...refuse(response, requestErrors.metricsTokenMissing()), path };
    }
    return writePlain(response, 200, metrics.contentType, await metrics.read(), path);
  }

  async function servePage(
    request: IncomingMessage,
    response: ServerResponse,
    url: string,
    path: string,
    { recognized }: Visitor,
  ): Promise<Handled> {
    // A layout of Next.js is not told which page it is for.
    request.headers["page-address"] = url;
    if (!isBuildFile(path)) {
      const { policy, headers } = pageHeaders();
      // Next.js takes the nonce from here. A client cannot choose it, because this replaces what it sent.
      request.headers["content-security-policy"] = policy;
      setHeaders(response, headers);
    }
    const setStatus = (status: number) => {
      // Of a page that it fetches as data, Next.js reads an answer with another status as one to load the whole page anew.
      if (request.headers.rsc === undefined && !response.headersSent) response.statusCode = status;
    };
    const rendered = visit.run({ recognized, setStatus }, () => renderPage(request, response));
    await Promise.race([rendered, closed(response)]);
    return { status: response.statusCode, path: "page" };
  }

  async function serveTrpc(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    { address, recognized }: Visitor,
  ): Promise<Handled> {
    if (!isDecodable(path)) return refuse(response, requestErrors.unknownPath(), detailsOf);
    const header = headerOf(request);
    const credentials = browserCredentials(header, address, source);
    const isByCookie = credentials.authorization === undefined && credentials.sessions.length > 0;
    if (isByCookie && request.method !== "GET" && isFromAnotherSite(header, source.reach)) {
      return refuse(response, requestErrors.fromAnotherSite(), detailsOf);
    }
    // The path names all procedures of a batch.
    const maxBytes = Math.max(...path.split(",").map((name) => bodyLimits.get(name) ?? MAX_BODY_BYTES));
    // tRPC would not say how long it may be. A browser says the length before.
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
      return refuse(response, requestErrors.bodyTooLong(maxBytes), detailsOf);
    }
    if (maxBytes > MAX_BODY_BYTES && request.method === "POST") {
      try {
        // tRPC would read any number of lists and objects. It takes this text as the body.
        Object.assign(request, { body: await readText(request, maxBytes) });
      } catch (cause) {
        return refuse(response, publicError(getTRPCErrorFromUnknown(cause)), detailsOf);
      }
    }
    let error: unknown;
    const handled = nodeHTTPRequestHandler({
      router: appRouter,
      path,
      req: request,
      res: response,
      maxBodySize: maxBytes,
      createContext: ({ info }) => {
        if (info.calls.length > MAX_BATCH_CALLS) throw failWith(requestErrors.batchTooLong(MAX_BATCH_CALLS));
        return createContext(source, credentials, recognized, (rate) => setRate(response, rate));
      },
      responseMeta: ({ errors }) => {
        const seconds = errors.map((failed) => publicError(failed)).find(({ status }) => status === 429)
          ?.values.seconds;
        return seconds === undefined ? {} : { headers: { "Retry-After": String(seconds) } };
      },
      onError: (failed) => {
        const told = publicError(failed.error);
        countRefusal(told);
        if (told.status >= 500) error = failed.error;
      },
    });
    await Promise.race([handled, closed(response)]);
    return { status: response.statusCode, path: TRPC_PREFIX, error };
  }

  async function serveAuth(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    { address, recognized }: Visitor,
  ): Promise<Handled> {
    const header = headerOf(request);
    const { reach } = source;
    if (request.method !== "GET" && isFromAnotherSite(header, reach)) {
      return refuse(response, requestErrors.fromAnotherSite(), detailsOf);
    }
    const origin = browserOrigin(header, reach);
    const failure = await signIn({
      request,
      response,
      path,
      origin,
      address,
      body: async () => readJsonObject(request),
      onSignIn: (accountId) => {
        recognized.account = accountId;
      },
      caller: createContext(
        source,
        { ...browserCredentials(header, address, source), authorization: undefined },
        recognized,
      ).caller,
    });
    const logged = AUTH_PREFIX + path.slice(1);
    if (failure === undefined) return { status: response.statusCode, path: logged };
    const { error, retryAfter, status } = failure;
    if (retryAfter !== undefined) response.setHeader("Retry-After", retryAfter);
    writeError(response, failure, detailsOf(failure));
    return { status, path: status === 404 ? "unknown" : logged, error };
  }
}

/** When an answer is sent, or its client is gone. Next.js and tRPC wait for the first alone, for ever. */
function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", resolve));
}

function refuse(
  response: ServerResponse,
  failure: PublicError,
  detail: (failure: PublicError) => ErrorDetails = () => ({}),
): Handled {
  writeError(response, failure, detail(failure));
  return { status: failure.status, path: "unknown" };
}

/** What the dashboard needs to say an error in the language of its reader. */
function detailsOf({ code, values, faults }: PublicError): ErrorDetails {
  return {
    ...(code !== undefined && { code }),
    ...(Object.keys(values).length > 0 && { values }),
    ...(faults && { faults }),
  };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Answers a request that is not HTTP, arrives too slowly or has too large headers, in the shape of all errors, and ends the
 * connection. Where that has ended, what was written before is still sent.
 */
export function answerMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroySoon();
  const { status, message } = malformation(error.code);
  const body = JSON.stringify({ success: false, error: message });
  const guards = guardsOf(randomUUID()).map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  endConnection(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n${guards.join("")}\r\n${body}`,
  );
}

/** A client that does not end its side has so long to take what was written before. */
const LEAVING_MS = 10_000;

/** Ends a connection behind a last text, also when the client does not end its side. */
export function endConnection(socket: Socket, text = ""): void {
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), LEAVING_MS).unref();
  socket.once("close", () => clearTimeout(timer));
}

/** Answers a request that is refused before anybody looks at its path, and ends its connection. */
export function answerRefusedRequest(response: ServerResponse, reason: Failure): void {
  guard(response, randomUUID());
  response.setHeader("Connection", "close");
  writeError(response, reason);
}

/** Why a request is refused for its headers `Host` (RFC 9112, section 3.2): the next reader may take another one of two. */
export function hostFault({ httpVersion, rawHeaders }: IncomingMessage): Failure | undefined {
  const count = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === "host").length;
  if (count > 1) return requestErrors.severalHosts();
  return count === 0 && httpVersion === "1.1" ? requestErrors.noHost() : undefined;
}

function malformation(code: string | undefined): Failure {
  if (code === "HPE_HEADER_OVERFLOW") return requestErrors.headersTooLarge();
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return requestErrors.requestTooSlow();
  return requestErrors.notHttp();
}
