import cluster from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { type Config, ConfigError, type DatabaseUrls, readConfig } from "./config";
import { checkConnections } from "./db/connections";
import { openEmbedded } from "./db/embedded";
import { outageOf } from "./db/outage";
import type { RequestHandlers } from "./http";
import { endStopped, SIGNALS } from "./interruption";
import { logConsole, logFormatOf, openLog } from "./log";
import { Preparation } from "./preparation";
import { RateLimit } from "./rate-limit";
import { Readiness } from "./readiness";
import type { Service } from "./service";
import { PrimaryLine } from "./workers/primary-line";
import { Workers } from "./workers/workers";

const STOP_DEADLINE_MS = 10_000;
/** The exit code of a start with a wrong setting, EX_CONFIG of sysexits.h. A service manager need not try that again. */
const WRONG_SETTING = 78;

/** Functions that close what the process has opened, the last first. */
const closers: (() => Promise<void>)[] = [];
/** Aborted as soon as the process is to stop. */
const stopping = new AbortController();
let closing: Promise<void> | undefined;
let service: Service | undefined;

/** Where this process is a worker: its line to the primary process, which tells it when to stop. */
const primary = cluster.isWorker
  ? new PrimaryLine(
      async () => service?.greeting(),
      () => void stop(),
    )
  : undefined;

// The process serves on when nobody can read what it prints: a pipe is closed, or a disk is full.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const starting = start();
// SIGHUP is the end of the terminal. It would end this process at once, and leave PostgreSQL running.
for (const signal of SIGNALS) {
  // A terminal and a service manager send a signal to the workers too. Only the primary process heeds it.
  process.on(signal, () => primary ?? void stop(signal));
}
await starting.catch(fail);

/** Stops in order. A second signal is ignored, because Ctrl-C arrives twice: from the terminal and from npm. */
async function stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  await Promise.race([starting.catch(() => {}), delay(STOP_DEADLINE_MS)]);
  await closeAll();
  endStopped(signal);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const root = openLog(config);
  const log = primary ? root.child({ worker: await primary.number }) : root;
  logConsole(log);
  surviveUncaught(log);
  if (primary === undefined && config.workers > 1) await startWorkers(config, log);
  else await startServing(config, log);
}

/** Serves in this process. */
async function startServing(config: Config, log: Logger): Promise<void> {
  // The primary process of workers needs none of these, and they take most of the time of a start.
  const [{ listen }, { guardPages }, { builtPages }, { startService }] = await Promise.all([
    import("./listener"),
    import("./page-guard"),
    import("./pages"),
    import("./service"),
  ]);
  let open: (handlers: RequestHandlers) => void = () => {};
  const opened = new Promise<RequestHandlers>((resolve) => {
    open = resolve;
  });
  const readiness = new Readiness();
  const listener = await listen(config.port, config.host, opened, readiness, log);

  const pages = builtPages();
  const database = (await primary?.database) ?? config.database ?? (await embeddedDatabase(config, log));
  service = await startService({
    config,
    database,
    local: `http://localhost:${listener.port}`,
    renderPage: guardPages(pages.render, config),
    readiness,
    log,
    stopping: stopping.signal,
    ...(primary && { shared: { requestCount: primary.requestCount, metricsText: primary.metricsText } }),
  });
  closers.push(service.close, () => listener.stop(STOP_DEADLINE_MS));
  open(service.handlers);
  if (primary) {
    await primary.send({ kind: "ready" });
    afterMigration(service.migrating, () => primary.send({ kind: "migrated" }));
    return;
  }

  const greet = async () => process.stdout.write(`${await service?.greeting()}\n`);
  // The set-up link is for the person at the terminal, and never stands in the log.
  await greet();
  void checkConnections(database.url, config.workers, log);
  afterMigration(service.migrating, greet);
}

/** Starts workers, which serve. This process has the database, the migrations and what is counted for all of them. */
async function startWorkers(config: Config, log: Logger): Promise<void> {
  const { workers: count, rateLimitPerMinute } = config;
  const rateLimit = rateLimitPerMinute === undefined ? undefined : new RateLimit(rateLimitPerMinute);
  const workers = new Workers({
    count,
    program: fileURLToPath(import.meta.url),
    environment: { LOG_FORMAT: logFormatOf(config) },
    log,
    rateLimit,
  });
  closers.push(() => workers.stop());
  const assign = async () => {
    const database = config.database ?? (await embeddedDatabase(config, log));
    const preparation = new Preparation({ config, database, log });
    await preparation.attempt();
    workers.serve(database);
    void checkConnections(database.url, count, log);
    return preparation;
  };
  const [preparation] = await Promise.all([assign(), workers.serving]);
  preparation.retry(stopping.signal).catch((error: unknown) => (stopping.signal.aborted ? undefined : fail(error)));
}

/** Says what to do next, when a database has got its migrations that was away at the start. */
function afterMigration(migrating: Promise<void> | undefined, say: () => Promise<unknown>): void {
  migrating
    ?.then(() => (stopping.signal.aborted ? undefined : say()))
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

async function embeddedDatabase(config: Config, log: Logger): Promise<DatabaseUrls> {
  const opening = openEmbedded(config.dataDir, "server", log, config.workers, stopping.signal);
  // It is closed last, also when something else fails while it opens.
  closers.unshift(async () => (await opening.catch(() => undefined))?.close());
  return opening;
}

/** Ends a process that cannot serve, and says why. */
async function fail(error: unknown): Promise<void> {
  // A start that the stop has ended has not failed, and `stop` ends the process.
  if (stopping.signal.aborted) return;
  const message = await sentenceOf(error);
  const isSetting = error instanceof ConfigError;
  if (primary) {
    await primary.send({ kind: "failed", message, isSetting });
  } else process.stderr.write(`Allowance cannot start. ${message}\n`);
  await closeAll();
  process.exit(isSetting ? WRONG_SETTING : 1);
}

/** What this product throws is a sentence already. That a right is missing, PostgreSQL and Prisma say in words of their own. */
async function sentenceOf(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  if (!("code" in error) || outageOf(error).cause !== "database_denies_write") return error.message;
  const { databaseFault } = await import("./cli/database-fault");
  return databaseFault(error) ?? error.message;
}

/** Closes everything. An error does not stop the rest. */
function closeAll(): Promise<void> {
  stopping.abort();
  closing ??= (async () => {
    for (const close of closers.reverse()) await close().catch((error: unknown) => console.error(error));
  })();
  return closing;
}
