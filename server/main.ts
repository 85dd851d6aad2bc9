import cluster from "node:cluster";
import type { RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { type Config, type DatabaseUrls, readConfig } from "./config";
import { checkConnections } from "./db/connections";
import { openEmbedded } from "./db/embedded";
import { logConsole, openLog } from "./log";
import { migrateWhenReachable } from "./migration";
import { RateLimit } from "./rate-limit";
import type { Service } from "./service";
import { PrimaryLine } from "./workers/primary-line";
import { Workers } from "./workers/workers";

const STOP_DEADLINE_MS = 10_000;

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

const starting = start();
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  // A terminal and a service manager send a signal to the workers too. Only the primary process heeds it.
  process.on(signal, () => primary ?? void stop());
}
await starting.catch(fail);

/** Stops in order. A second signal is ignored, because Ctrl-C arrives twice: from the terminal and from npm. */
async function stop(): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  await Promise.race([starting.catch(() => {}), delay(STOP_DEADLINE_MS)]);
  await closeAll();
  process.exit(0);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const root = openLog(config.logLevel);
  const log = primary ? root.child({ worker: await primary.number }) : root;
  logConsole(log);
  if (primary === undefined && config.workers > 1) await startWorkers(config, log);
  else await startServing(config, log);
}

/** Serves in this process. */
async function startServing(config: Config, log: Logger): Promise<void> {
  // The primary process of workers needs none of these, and they take most of the time of a start.
  const [{ listen }, { guardPages }, { preparePages }, { startService }] = await Promise.all([
    import("./listener"),
    import("./page-guard"),
    import("./pages"),
    import("./service"),
  ]);
  let open: (handle: RequestListener) => void = () => {};
  const opened = new Promise<RequestListener>((resolve) => {
    open = resolve;
  });
  const listener = await listen(config.port, config.host, opened);

  const pages = preparePages();
  const assignment = await primary?.assignment;
  const database = assignment?.database ?? config.database ?? (await embeddedDatabase(config, log));
  service = await startService({
    config,
    database,
    local: `http://localhost:${listener.port}`,
    renderPage: guardPages(pages.render, config),
    log,
    stopping: stopping.signal,
    ...(primary &&
      assignment && {
        shared: { ...assignment, requestCount: primary.requestCount, metricsText: primary.metricsText },
      }),
  });
  closers.push(service.close, () => listener.stop(STOP_DEADLINE_MS));
  open(service.handle);
  if (primary) return primary.send({ kind: "ready" });

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
  const workers = new Workers({ count, program: fileURLToPath(import.meta.url), log, rateLimit });
  closers.push(() => workers.stop());
  const assign = async () => {
    const database = config.database ?? (await embeddedDatabase(config, log));
    const migration = await migrateWhenReachable(database, log, stopping.signal);
    workers.serve(database, migration.isDone);
    void checkConnections(database.url, count, log);
    return migration;
  };
  const [migration] = await Promise.all([assign(), workers.serving]);
  if (!migration.isDone) afterMigration(migration.done, async () => workers.noteMigrated());
}

/** Says what to do next, when a database has got its migrations that was away at the start. */
function afterMigration(migrating: Promise<void> | undefined, say: () => Promise<unknown>): void {
  migrating
    ?.then(() => (stopping.signal.aborted ? undefined : say()))
    .catch((error: unknown) => (stopping.signal.aborted ? undefined : fail(error)));
}

async function embeddedDatabase(config: Config, log: Logger): Promise<DatabaseUrls> {
  const opening = openEmbedded(config.dataDir, "server", log, config.workers);
  // It is closed last, also when something else fails while it opens.
  closers.unshift(async () => (await opening.catch(() => undefined))?.close());
  return opening;
}

/** Ends a process that cannot serve, and says why. */
async function fail(error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  if (primary) {
    // A worker that is to stop needs no reason.
    if (stopping.signal.aborted) return;
    await primary.send({ kind: "failed", message });
  } else process.stderr.write(`Allowance cannot start. ${message}\n`);
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
