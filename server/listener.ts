import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import type { Logger } from "pino";
import { ConfigError } from "./config";
import { requestErrors } from "./errors/request-errors";
import { serveConnection } from "./fast-path/connection";
import { answerMalformedRequest, answerRefusedRequest, endConnection, hostFault, type RequestHandlers } from "./http";
import { mostConnections } from "./open-files";
import { answerProbe, type Readiness } from "./readiness";
import { DATA_HEADERS, setHeaders } from "./security-headers";

/** The port of the process. It is bound first, so that a port in use is an error at once. Requests wait for the service. */
export interface Listener {
  port: number;
  server: Server;
  /**
   * Accepts the connections that already wait and no more, and waits for open requests, at most `deadlineMs`. A connection
   * that was in use within the last second may send one more, whose answer says that the connection ends.
   */
  stop(deadlineMs: number): Promise<void>;
}

interface Connection {
  /** How many of its requests. */
  underWay: number;
  /** When it was made, or a request on it ended. */
  usedAt: number;
  /** The answers of `node:http` that are not sent yet, in their order. */
  due: ServerResponse[];
  /** A request whose answer was sent before its body had arrived. */
  answeredEarly?: IncomingMessage | undefined;
  /** Whether something has arrived that is no request. Nothing behind it is read. */
  isMalformed: boolean;
}

/** How long a client may take for its request, in milliseconds. */
interface RequestLimits {
  /** For the headers. */
  headersTimeout: number;
  /** For the headers and the body. */
  requestTimeout: number;
  /** For the rest of a body on the fast path, until `node:http` takes over. */
  restTimeout: number;
}

// Clients that send the head and the body apart do so at once, or when the head is acknowledged, which takes 40 ms.
const LIMITS: RequestLimits = { headersTimeout: 10_000, requestTimeout: 30_000, restTimeout: 100 };
/**
 * A connection stays open for so long without a request: longer than proxies keep one (nginx 60 s, Traefik 90 s, Caddy 120 s),
 * so that it does not end at the moment at which a proxy sends the next request. The default of Node.js is 5 s.
 */
const KEEP_ALIVE_MS = 150_000;
/** Node.js looks for slow requests this often, so they are cut at most so much later. Its default is 30 s. */
const LOOK_EVERY_MS = 1_000;
/** Whoever sent a request so long ago may be sending the next one, when the server stops. */
const RECENT_MS = 1_000;
/** When none came for so long, a server that stops has accepted all connections that waited for it. */
const QUIET_MS = 50;
/** That connections are refused is logged no more often. */
const REFUSAL_PAUSE_MS = 60_000;
/** New connections may come for ever, where no balancer sends them elsewhere. */
const MOST_WAITS = 20;

/**
 * Listens, and passes each request to the handler as soon as there is one. Until then it answers probes itself, because
 * the recovery of a database may take longer than a supervisor waits.
 * @throws {ConfigError} when this user may not use the port.
 */
export async function listen(
  port: number,
  host: string | undefined,
  handlers: Promise<RequestHandlers>,
  readiness: Readiness,
  log: Logger,
  limits = LIMITS,
): Promise<Listener> {
  let stopping = false;
  const most = mostConnections();
  let toldAt = Number.NEGATIVE_INFINITY;
  const refuseConnection = (socket: Socket) => {
    socket.destroy();
    if (performance.now() - toldAt < REFUSAL_PAUSE_MS) return;
    toldAt = performance.now();
    log.error(
      { cause: "connections_exhausted", connections: connections.size },
      "no more connections are accepted: the rest of the files that this process may open is for its database",
    );
  };
  const connections = new Map<Socket, Connection>();
  let handle: RequestListener = async (request, response) => {
    setHeaders(response, DATA_HEADERS);
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (answerProbe(request, path, response, readiness)) return;
    (await handlers).handle(request, response);
  };
  let fast: Pick<RequestHandlers, "handleFast" | "takesGet"> | undefined;
  // Later requests need not wait for a promise.
  handlers.then((ready) => {
    handle = ready.handle;
    fast = ready;
  });
  const { headersTimeout, requestTimeout, restTimeout } = limits;
  const options = {
    headersTimeout,
    requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
    requireHostHeader: false,
    // Of two `Authorization` headers Node.js would drop the second, and another reader on the way the first.
    joinDuplicateHeaders: true,
  };
  const follow = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket) as Connection;
    connection.underWay++;
    connection.due.push(response);
    response.once("close", () => {
      connection.underWay--;
      connection.usedAt = Date.now();
      connection.due.splice(connection.due.indexOf(response), 1);
      connection.answeredEarly = request.complete ? undefined : request;
    });
  };
  const server = createServer(options, (request, response) => {
    follow(request, response);
    const fault = hostFault(request);
    if (fault) return answerRefusedRequest(response, fault);
    if (stopping) response.setHeader("Connection", "close");
    handle(request, response);
  });
  // A client that sends nothing more still gets the answers to what it has sent. The types of Node.js do not have this property.
  Object.assign(server, { httpAllowHalfOpen: true });
  const [serveHttp] = server.listeners("connection");
  let accepted = 0;
  server.removeAllListeners("connection").on("connection", (socket) => {
    accepted++;
    if (connections.size >= most) return refuseConnection(socket);
    const connection: Connection = { underWay: 0, usedAt: Date.now(), due: [], isMalformed: false };
    connections.set(socket, connection);
    socket.once("close", () => connections.delete(socket));
    serveConnection(socket, {
      isOpen: () => fast !== undefined && !stopping,
      takesGet: (path) => fast?.takesGet(path) ?? false,
      begin() {
        connection.underWay++;
      },
      serve: (request, answer) => fast?.handleFast(request, answer),
      finish() {
        connection.underWay--;
        connection.usedAt = Date.now();
      },
      handOver(bytes) {
        serveHttp?.call(server, socket);
        socket.unshift(bytes);
      },
      refuse: (code) => answerMalformedRequest(Object.assign(new Error(code), { code }), socket),
      headersTimeout,
      restTimeout,
      keepAliveTimeout: server.keepAliveTimeout,
    });
  });
  const refuse = (error: Error, socket: Socket) => {
    const connection = connections.get(socket);
    if (connection === undefined || !socket.writable) return answerMalformedRequest(error, socket);
    if (connection.isMalformed) return;
    connection.isMalformed = true;
    refuseInTurn(error, socket, connection);
  };
  server.on("clientError", refuse);
  // Node.js takes its listeners from a connection that asks for a tunnel, and would end it without an answer.
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => {}).resume();
    refuse(new Error("CONNECT"), socket);
  });
  server.on("checkExpectation", (request, response) => {
    follow(request, response);
    answerRefusedRequest(response, hostFault(request) ?? requestErrors.unknownExpectation());
  });
  await bind(server, port, host);
  const address = server.address();

  return {
    port: address instanceof Object ? address.port : port,
    server,
    async stop(deadlineMs) {
      stopping = true;
      const end = Date.now() + deadlineMs;
      // Node.js accepts one connection in a turn of its loop, and the primary process gives a worker one after the other. Those
      // that still wait when the port is closed are reset. The turn after the pause looks for them on a busy machine too.
      for (let waits = 0, before = -1; waits < MOST_WAITS && before !== accepted; waits++) {
        before = accepted;
        await delay(QUIET_MS);
        await immediate();
      }
      const begun = Date.now();
      // The `close` of HTTP would also close the connections on which a request is on its way.
      NetServer.prototype.close.call(server);
      while (connections.size > 0 && Date.now() < end) {
        await delay(20);
        const isLate = Date.now() > begun + RECENT_MS;
        // Requests that have arrived are read first, also on a machine that was busy for a second.
        await immediate();
        for (const [socket, { underWay, usedAt }] of connections) {
          if (underWay === 0 && (isLate || usedAt < begun - RECENT_MS)) socket.destroySoon();
        }
      }
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}

/**
 * Answers something that is no request, behind the answers that are due for what came before (RFC 9112, 9.3.2). Where it is the
 * body of a request, the answer to that is due only when it has begun, because it may wait for the body. Then it is the only
 * one to this request.
 */
function refuseInTurn(error: Error, socket: Socket, connection: Connection): void {
  const last = connection.due.findLast(({ req, headersSent }) => req.complete || headersSent);
  if (last !== undefined) last.once("close", () => refuseInTurn(error, socket, connection));
  else if (connection.answeredEarly?.complete === false) endConnection(socket);
  else answerMalformedRequest(error, socket);
}

function bind(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        reject(new Error(`port ${port} is in use; stop what listens there, or set PORT`));
      else if (error.code === "EACCES") reject(new ConfigError(`PORT: port ${port} may not be used by this user`));
      else if (host === undefined) reject(new Error(`cannot listen on port ${port}: ${error.message}`));
      // The machine may get the address, or the name its address, in a moment.
      else reject(new Error(`HOST: cannot listen on ${host}: ${error.message}`));
    });
    server.listen(port, host, resolve);
  });
}
