import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { buildFiles } from "./build-files";
import { INSTALLATION } from "./installation";

/** Next.js, which serves only the pages. */
export interface Pages {
  /** @throws {Error} when Next.js or the built pages cannot be loaded. The next request tries again. */
  render(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

interface PagesOptions {
  dev: boolean;
  /** The folder of the project. */
  dir: string;
  httpServer: Server;
}

/**
 * The built pages. The first request for one loads Next.js, which takes longer than the rest of the start and is not
 * needed to answer the API (docs/decisions/start.md).
 */
export function builtPages(): Pages {
  const answerFile = buildFiles(join(INSTALLATION, ".next/static"));
  const pages = pagesOf(async () => {
    await useBuiltSettings();
    // Next.js listens for `upgrade` on the server it gets, and does not answer when pages are built. So it gets a server
    // that listens on no port.
    return { dev: false, dir: INSTALLATION, httpServer: createServer() };
  });
  return {
    close: pages.close,
    async render(request, response) {
      if (!(await answerFile(request, response))) await pages.render(request, response);
    },
  };
}

/**
 * The same in development: Next.js compiles a page when somebody asks for it, and tells browsers of changes over a web
 * socket on the port of `server`. It is loaded at once.
 */
export function preparePagesInDevelopment(server: Server): Pages {
  const pages = pagesOf(async () => ({ dev: true, dir: INSTALLATION, httpServer: server }));
  pages.load().catch(() => {});
  return pages;
}

function pagesOf(options: () => Promise<PagesOptions>): Pages & { load(): Promise<RequestListener> } {
  let app: { close(): Promise<void> } | undefined;
  let loading: Promise<RequestListener> | undefined;

  const load = () => {
    loading ??= open().catch((error: unknown) => {
      loading = undefined;
      throw new Error("the pages cannot be loaded", { cause: error });
    });
    return loading;
  };
  const open = async () => {
    const { default: next } = await import("next");
    const opened = next(await options());
    await opened.prepare();
    app = opened;
    return opened.getRequestHandler();
  };

  return {
    load,
    render: async (request, response) => (await load())(request, response),
    close: async () => {
      await loading?.catch(() => {});
      await app?.close();
    },
  };
}

/**
 * Lets Next.js take its settings from the build, as the server does that Next.js itself makes for `output: "standalone"`.
 * Else it would compile `next.config.ts` at each start, for which it needs its compiler.
 */
async function useBuiltSettings(): Promise<void> {
  const { config } = JSON.parse(await readFile(join(INSTALLATION, ".next/required-server-files.json"), "utf8"));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}
