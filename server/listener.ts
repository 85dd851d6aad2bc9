import { createServer, type RequestListener, type Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { ConfigError } from "./config";
import { answerMalformedRequest, answerRefusedRequest } from "./http";

/** The port of the process. It is bound first, so that a port in use is an error at once. Requests wait for the service. */
export interface Listener {
  port: number;
  server: Server;
  /** Accepts no more connections, and waits for open requests, at most `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Listens, and passes each request to the handler as soon as there is one.
 * @throws {ConfigError} when the port or the address cannot be used.
 */
export async function listen(
  port: number,
  host: string | undefined,
  handler: Promise<RequestListener>,
): Promise<Listener> {
  let underWay = 0;
  let stopping = false;
  let handle: RequestListener = async (request, response) => (await handler)(request, response);
  // Later requests need not wait for a promise.
  handler.then((ready) => {
    handle = ready;
  });
  const limits = { requestTimeout: 30_000, headersTimeout: 10_000, requireHostHeader: false };
  const server = createServer(limits, (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      return answerRefusedRequest(request, response);
    }
    underWay++;
    response.once("close", () => underWay--);
    if (stopping) response.setHeader("Connection", "close");
    handle(request, response);
  });
  server.on("clientError", answerMalformedRequest);
  server.on("checkExpectation", answerRefusedRequest);
  await bind(server, port, host);
  const address = server.address();

  return {
    port: address instanceof Object ? address.port : port,
    server,
    async stop(deadlineMs) {
      stopping = true;
      server.close();
      server.closeIdleConnections();
      for (const end = Date.now() + deadlineMs; underWay > 0 && Date.now() < end; await delay(20));
      server.closeAllConnections();
    },
  };
}

function bind(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        reject(new ConfigError(`port ${port} is in use; stop what listens there, or set PORT`));
      else if (error.code === "EACCES") reject(new ConfigError(`port ${port} may not be used by this user; set PORT`));
      else reject(new ConfigError(`cannot listen on ${host ?? "any address"}, port ${port}: ${error.message}`));
    });
    server.listen(port, host, resolve);
  });
}
