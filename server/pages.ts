import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import next from "next";

/** Next.js, which serves only the pages. */
export interface Pages {
  render(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** Prepares Next.js for the built pages, at the same time as the rest of the start. A request waits until it is ready. */
export function preparePages(): Pages {
  // Next.js listens for `upgrade` on the server it gets, and does not answer when pages are built. So it gets a server that
  // listens on no port.
  return prepare(false, createServer());
}

/**
 * The same in development: Next.js compiles a page when somebody asks for it, and tells browsers of changes over a web
 * socket on the port of `server`.
 */
export function preparePagesInDevelopment(server: Server): Pages {
  return prepare(true, server);
}

function prepare(dev: boolean, httpServer: Server): Pages {
  const app = next({ dev, dir: process.cwd(), httpServer });
  const prepared = app.prepare().then(() => app.getRequestHandler());
  prepared.catch(() => {});
  return {
    render: async (request, response) => (await prepared)(request, response),
    close: () => app.close(),
  };
}
