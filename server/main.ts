import type { RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type DatabaseUrls, readConfig } from "./config";
import { openEmbedded } from "./db/embedded";
import { listen } from "./listener";
import { logConsole, openLog } from "./log";
import { guardPages } from "./page-guard";
import { builtPages } from "./pages";
import { Readiness } from "./readiness";
import { startService } from "./service";

const STOP_DEADLINE_MS = 10_000;

/** Functions that close what the process has opened, the last first. */
const closers: (() => Promise<void>)[] = [];
/** Aborted as soon as the process is to stop. */
const stopping = new AbortController();
let closing: Promise<void> | undefined;

const starting = start();
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  // A second signal is ignored, because Ctrl-C arrives twice: from the terminal and from npm.
  process.on(signal, async () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    await Promise.race([starting.catch(() => {}), delay(STOP_DEADLINE_MS)]);
    await closeAll();
    process.exit(0);
  });
}
await starting.catch(fail);

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = openLog(config);
  logConsole(log);
  surviveUncaught(log);

  let open: (handle: RequestListener) => void = () => {};
  const opened = new Promise<RequestListener>((resolve) => {
    open = resolve;
  });
  const readiness = new Readiness();
  const listener = await listen(config.port, config.host, opened, readiness);

  const pages = builtPages();
  const database = config.database ?? (await embeddedDatabase(config.dataDir, log));
  const service = await startService({
    config,
    database,
    local: `http://localhost:${listener.port}`,
    renderPage: guardPages(pages.render, config),
    readiness,
    log,
    stopping: stopping.signal,
  });
  closers.push(service.close, () => listener.stop(STOP_DEADLINE_MS));
  open(service.handle);
  // The set-up link is for the person at the terminal, and never stands in the log.
  const greet = async () => process.stdout.write(`${await service.greeting()}\n`);
  await greet();
  service.migrating
    ?.then(() => (stopping.signal.aborted ? undefined : greet()))
    .catch((error: unknown) => (stopping.signal.aborted ? undefined : fail(error)));
}

/**
 * An error that nobody catches is logged, and the process goes on, because other requests are under way. Next.js does the
 * same as soon as it is loaded, so it must not depend on whether somebody asked for a page.
 */
function surviveUncaught(log: Logger): void {
  process.on("uncaughtException", (error) => log.error({ err: error }, "nobody caught this error"));
  process.on("unhandledRejection", (error) => log.error({ err: error }, "nobody caught this rejection"));
}

async function embeddedDatabase(dataDir: string, log: Logger): Promise<DatabaseUrls> {
  const embedded = await openEmbedded(dataDir, "server", log);
  closers.push(() => embedded.close());
  return embedded;
}

/** Ends a process that cannot serve, and says why. */
async function fail(error: unknown): Promise<void> {
  if (error instanceof Error) process.stderr.write(`Allowance cannot start. ${error.message}\n`);
  await closeAll();
  process.exit(1);
}

/** Closes everything. An error does not stop the rest. */
function closeAll(): Promise<void> {
  stopping.abort();
  closing ??= (async () => {
    for (const close of closers.reverse()) await close().catch((error: unknown) => console.error(error));
  })();
  return closing;
}
