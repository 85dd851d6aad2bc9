import { open as openInspector } from "node:inspector";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { context, type Plugin } from "esbuild";
import { type DatabaseUrls, readConfig } from "../config";
import { openEmbedded } from "../db/embedded";
import type { RequestHandlers } from "../http";
import { endStopped, SIGNALS } from "../interruption";
import { listen } from "../listener";
import { openLog } from "../log";
import { preparePagesInDevelopment } from "../pages";
import { Readiness } from "../readiness";
import type { Service, startService } from "../service";
import { BUNDLE } from "./bundle.mjs";

/**
 * `npm run dev`: serves the sources, with the embedded database of `DATA_DIR`. After a change in `server/` this process
 * loads the service again. The port, PostgreSQL and Next.js stay, because a new Next.js would compile the open page again.
 * `npm run dev -- --inspect` opens the inspector of Node.js.
 */
const OUTPUT = ".build/dev/service.js";
const START_DEADLINE_MS = 10_000;
const STOP_DEADLINE_MS = 1_000;

const stopping = new AbortController();
/** Functions that close what this process has opened, the last first. */
const closers: (() => Promise<unknown>)[] = [];

const starting = start();
for (const signal of SIGNALS) {
  // A second signal is ignored, because Ctrl-C arrives twice: from the terminal and from npm.
  process.on(signal, async () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    await Promise.race([starting.catch(() => {}), delay(START_DEADLINE_MS)]);
    await closeAll();
    endStopped(signal);
  });
}
await starting.catch(async (error: unknown) => {
  console.error(error);
  await closeAll();
  process.exit(1);
});

async function start(): Promise<void> {
  const { values: options } = parseArgs({ options: { inspect: { type: "boolean", default: false } } });
  if (options.inspect) openInspector();
  const config = readConfig(process.env);
  const log = openLog(config);

  let service: Service | undefined;
  let open: () => void = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  const handlers = opened.then(
    (): RequestHandlers => ({
      handle: (request, response) => service?.handlers.handle(request, response),
      handleFast: (request, answer) => service?.handlers.handleFast(request, answer),
      takesGet: (path) => service?.handlers.takesGet(path) ?? false,
    }),
  );
  const readiness = new Readiness();
  const listener = await listen(config.port, config.host, handlers, readiness, log);
  let { database } = config;
  if (database === undefined) {
    const embedded = await openEmbedded(config.dataDir, "server", log);
    closers.push(() => embedded.close());
    database = embedded;
  }
  const pages = preparePagesInDevelopment(listener.server);
  closers.push(
    () => pages.close(),
    async () => service?.close(),
    () => listener.stop(STOP_DEADLINE_MS),
  );

  /** Loads the bundle as a new module, then closes the service of the module before. */
  const reload = async (urls: DatabaseUrls): Promise<void> => {
    const begun = performance.now();
    const module = await import(`${pathToFileURL(resolve(OUTPUT)).href}?at=${Date.now()}`);
    const startNext: typeof startService = module.startService;
    const last = service;
    service = await startNext({
      config,
      database: urls,
      local: `http://localhost:${listener.port}`,
      renderPage: pages.render,
      readiness,
      log,
      stopping: stopping.signal,
    });
    if (last === undefined) {
      open();
      console.log(await service.greeting());
    } else console.log(`Reloaded in ${Math.round(performance.now() - begun)} ms`);
    await last?.close();
  };

  const urls = database;
  let loading = Promise.resolve();
  const loader: Plugin = {
    name: "reload",
    setup(build) {
      build.onEnd(({ errors }) => {
        // When a build fails, the service of the last good build stays.
        if (errors.length > 0 || stopping.signal.aborted) return;
        loading = loading.then(() => reload(urls)).catch((error: unknown) => console.error(error));
      });
    },
  };
  const bundle = await context({
    ...BUNDLE,
    entryPoints: ["server/service.ts"],
    outfile: OUTPUT,
    plugins: [loader],
  });
  closers.push(() => Promise.race([loading, delay(STOP_DEADLINE_MS)]));
  closers.push(() => bundle.dispose());
  await bundle.watch();
}

/** Closes everything. An error does not stop the rest. */
async function closeAll(): Promise<void> {
  for (const close of closers.reverse()) await close().catch((error: unknown) => console.error(error));
}
