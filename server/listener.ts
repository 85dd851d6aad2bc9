import { createServer, type RequestListener, type Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { ConfigError } from "./config";
import { answerMalformedRequest } from "./http";

/** The port of the process. It is bound first, so that a port in use is known at once. */
export interface Listener {
  port: number;
  /** Takes no more connections, and waits for what is under way, `deadlineMs` at most. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Listens on a port. Requests wait until `requestListener` is there.
 * @throws {ConfigError} when the port or the address cannot be had.
 */
export async function listen(
  port: number,
  host: string | undefined,
  requestListener: Promise<RequestListener>,
): Promise<Listener> {
  let underWay = 0;
  let stopping = false;
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, async (request, response) => {
    underWay++;
    response.once("close", () => underWay--);
    if (stopping) response.setHeader("Connection", "close");
    (await requestListener)(request, response);
  });
  server.on("clientError", answerMalformedRequest);
  await bind(server, port, host);
  const address = server.address();

  return {
    port: address instanceof Object ? address.port : port,
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
