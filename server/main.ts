import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import next from "next";
import { type Logger, pino } from "pino";
import { deleteExpired } from "./auth/expired";
import { GatewayTokens } from "./auth/gateway";
import { authSecret } from "./auth/secret";
import { renewSetUpToken } from "./auth/set-up";
import { AuthorizationDesk } from "./authorizations/desk";
import { keepTidy } from "./authorizations/upkeep";
import { readConfig } from "./config";
import { browserCredentials, type ContextSource, createContext } from "./context";
import { type Database, openDatabase } from "./db/client";
import { openEmbedded } from "./db/embedded";
import { isDatabaseUnavailable } from "./db/failure";
import { migrate } from "./db/migrate";
import { createRequestListener } from "./http";
import { listen } from "./listener";
import { providePageCaller } from "./page-caller";
import { appRouter } from "./router";

const RETRY_PAUSE_MS = 1_000;
const SWEEP_PAUSE_MS = 60 * 60 * 1000;
const STOP_DEADLINE_MS = 10_000;
const CLOSE_DEADLINE_MS = 3_000;

/** How to give back what the process has opened; the last one goes first. */
const closers: (() => Promise<void>)[] = [];
let stopping = false;
let closing: Promise<void> | undefined;

const starting = start();
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  // A second signal changes nothing: npm passes on the one that the terminal has sent to the whole group already.
  process.on(signal, async () => {
    if (stopping) return;
    stopping = true;
    await Promise.race([starting.catch(() => {}), delay(STOP_DEADLINE_MS)]);
    await closeAll();
    process.exit(0);
  });
}
try {
  await starting;
} catch (error) {
  if (error instanceof Error) console.error(`Allowance cannot start. ${error.message}`);
  await closeAll();
  process.exit(1);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel });

  let serve: (requests: RequestListener) => void = () => {};
  const requestListener = new Promise<RequestListener>((resolve) => {
    serve = resolve;
  });
  const listener = await listen(config.port, config.host, requestListener);

  const renderPage = preparePages();
  const url = config.databaseUrl ?? (await embeddedUrl(config.dataDir, log));
  const db = openDatabase(url);
  closers.push(() => Promise.race([db.close(), delay(CLOSE_DEADLINE_MS, undefined, { ref: false })]));
  const migration = await migrateWhenReachable(url, log);
  const isMigrated = () => migration.isDone;
  const { keyPrefix, publicUrl, proxies, isSignUpOpen, oidc } = config;
  const secret = await authSecret(config);
  const source: ContextSource = {
    db,
    keyPrefix,
    isMigrated,
    secret,
    reach: { publicUrl, proxies },
    gatewayTokens: new GatewayTokens(config.gatewayTokens),
    desk: new AuthorizationDesk(db),
    signInOptions: { sign_up: isSignUpOpen, single_sign_on: oidc?.name ?? null },
  };
  providePageCaller((headers) => {
    const header = (name: string) => headers.get(name) ?? undefined;
    return appRouter.createCaller(createContext(source, browserCredentials(header, null, source)));
  });
  serve(
    createRequestListener({
      source,
      auth: { ...source, isSignUpOpen, oidc },
      isDatabaseReady: () => db.pool.query("SELECT 1").then(isMigrated, () => false),
      renderPage,
      log,
    }),
  );
  const upkeep = new AbortController();
  const kept = migration.done.then(() => keepTidy(db, config.ledgerRetentionDays, log, upkeep.signal));
  closers.push(async () => {
    upkeep.abort();
    await Promise.race([kept, delay(CLOSE_DEADLINE_MS, undefined, { ref: false })]);
  });
  closers.push(() => listener.stop(STOP_DEADLINE_MS));
  const sweep = () => deleteExpired(db).catch((error: unknown) => log.warn({ err: error }, "nothing expired deleted"));
  setInterval(sweep, SWEEP_PAUSE_MS).unref();
  const local = `http://localhost:${listener.port}`;
  const greet = async () => {
    const next = migration.isDone ? await nextSteps(db, publicUrl ?? local) : [];
    console.log([`Allowance serves at ${local}`, ...next].join("\n"));
  };
  await greet();
  if (!migration.isDone) void migration.done.then(greet);
}

async function embeddedUrl(dataDir: string, log: Logger): Promise<string> {
  const embedded = await openEmbedded(dataDir, "server", log);
  closers.push(() => embedded.close());
  return embedded.url;
}

/** What to do next: make the first account, or sign in. Nothing, where the database is away just now. */
async function nextSteps(db: Database, address: string): Promise<string[]> {
  const token = await renewSetUpToken(db).catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error;
  });
  return [
    ...(token === undefined
      ? ["Next: sign in at", `  ${address}/sign-in`]
      : [
          "Next: make the first account in a browser, with this link (once, within 24 hours)",
          `  ${address}/set-up?token=${token}`,
        ]),
    "or make an account and get its default key with",
    "  npm run -s account:create -- --email owner@example.com",
    `and read how to use it at ${address}/docs`,
  ];
}

/**
 * Applies the migrations. A database that is away is waited for in the background, so that the process serves (503)
 * in whatever order the two are started; a history that does not fit ends the process.
 */
async function migrateWhenReachable(url: string, log: Logger): Promise<{ isDone: boolean; done: Promise<void> }> {
  const migration = { isDone: false, done: Promise.resolve() };
  const attempt = async () => {
    try {
      const applied = await migrate(url);
      if (applied.length > 0) log.info({ applied }, "migrated");
      migration.isDone = true;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      log.error({ err: error }, "the database cannot be reached; trying again");
    }
  };
  await attempt();
  migration.done = retry(attempt, migration);
  return migration;
}

async function retry(attempt: () => Promise<void>, migration: { isDone: boolean }): Promise<void> {
  try {
    while (!migration.isDone && !stopping) {
      await delay(RETRY_PAUSE_MS);
      await attempt();
    }
  } catch (error) {
    console.error(`Allowance cannot start. ${(error as Error).message}`);
    await closeAll();
    process.exit(1);
  }
}

/** Next.js, for pages alone. It gets ready beside the rest of the start. */
function preparePages(): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  // Next.js listens for upgrades on the server it is given, and would leave a request that offers one without an answer.
  const app = next({ dev: false, dir: process.cwd(), httpServer: createServer() });
  const prepared = app.prepare().then(() => app.getRequestHandler());
  prepared.catch(() => {});
  return async (request, response) => (await prepared)(request, response);
}

/** Closes everything, each at its best: one that fails does not keep the others open. */
function closeAll(): Promise<void> {
  stopping = true;
  closing ??= (async () => {
    for (const close of closers.reverse()) await close().catch((error: unknown) => console.error(error));
  })();
  return closing;
}
