import { open as openInspector } from "node:inspector";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { context, type Plugin } from "esbuild";
import { pino } from "pino";
import { readConfig } from "../config";
import { openEmbedded } from "../db/embedded";
import { listen } from "../listener";
import { preparePagesInDevelopment } from "../pages";
import type { Service, startService } from "../service";
import { BUNDLE } from "./bundle.mjs";

/**
 * `npm run dev`: serves the sources, with the embedded database of `DATA_DIR`. After a change in `server/` this process
 * loads the service again. The port, PostgreSQL and Next.js stay, because a new Next.js would compile the open page again.
 * `npm run dev -- --inspect` opens the inspector of Node.js.
 */
const OUTPUT = ".build/dev/service.js";
const STOP_DEADLINE_MS = 1_000;

const { values: options } = parseArgs({ options: { inspect: { type: "boolean", default: false } } });
if (options.inspect) openInspector();
const config = readConfig(process.env);
const log = pino({ level: config.logLevel });

let service: Service | undefined;
let open: () => void = () => {};
const opened = new Promise<void>((done) => {
  open = done;
});
const listener = await listen(
  config.port,
  config.host,
  opened.then(() => (request, response) => service?.handle(request, response)),
);
const pages = preparePagesInDevelopment(listener.server);
const embedded = config.databaseUrl === undefined ? await openEmbedded(config.dataDir, "server", log) : undefined;

/** Loads the bundle as a new module, then closes the service of the module before. */
async function reload(): Promise<void> {
  const begun = performance.now();
  const module = await import(`${pathToFileURL(resolve(OUTPUT)).href}?at=${Date.now()}`);
  const start: typeof startService = module.startService;
  const last = service;
  service = await start({
    config,
    databaseUrl: config.databaseUrl ?? embedded?.url ?? "",
    local: `http://localhost:${listener.port}`,
    renderPage: pages.render,
    log,
  });
  if (last === undefined) {
    open();
    console.log(await service.greeting());
  } else console.log(`Reloaded in ${Math.round(performance.now() - begun)} ms`);
  await last?.close();
}

let loading = Promise.resolve();
const loader: Plugin = {
  name: "reload",
  setup(build) {
    build.onEnd(({ errors }) => {
      // When a build fails, the service of the last good build stays.
      if (errors.length === 0) loading = loading.then(reload).catch((error: unknown) => console.error(error));
    });
  },
};
const bundle = await context({
  ...BUNDLE,
  entryPoints: ["server/service.ts"],
  outfile: OUTPUT,
  plugins: [loader],
});
await bundle.watch();

let stopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  // A second signal is ignored, because Ctrl-C arrives twice: from the terminal and from npm.
  process.on(signal, async () => {
    if (stopping) return;
    stopping = true;
    await bundle.dispose();
    await Promise.race([loading, delay(STOP_DEADLINE_MS)]);
    await listener.stop(STOP_DEADLINE_MS);
    await service?.close();
    await pages.close();
    await embedded?.close();
    process.exit(0);
  });
}
