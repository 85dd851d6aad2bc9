import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { AccountTurns } from "./account-turns";
import { deleteExpired } from "./auth/expired";
import { Gateways } from "./auth/gateway";
import { authSecrets } from "./auth/secret";
import { renewSecondFactors } from "./auth/secret-rotation";
import { renewSetUpToken } from "./auth/set-up";
import { ValidKeys } from "./auth/valid-keys";
import { Authorizer } from "./authorizations/authorizer";
import { runUpkeep } from "./authorizations/upkeep";
import type { Config, DatabaseUrls } from "./config";
import { browserCredentials, type ContextSource, createContext } from "./context";
import { type Database, openDatabase } from "./db/client";
import { isDatabaseUnavailable } from "./db/failure";
import { prepareDatabase } from "./db/privileges";
import { createRequestListener, visit } from "./http";
import { LAUNCHER } from "./installation";
import { KeyInsertion } from "./keys/insertion";
import { runLargeChangeUpkeep } from "./keys/large-change-queries";
import { providePageCaller } from "./page-caller";
import { plainHttpWarning } from "./plain-http";
import { RateLimit } from "./rate-limit";
import { appRouter } from "./router";

const RETRY_PAUSE_MS = 1_000;
const SWEEP_PAUSE_MS = 60 * 60 * 1000;
const CLOSE_DEADLINE_MS = 3_000;

/** Everything between the port and the database. `npm run dev` replaces it after a change. The port stays. */
export interface Service {
  /** Answers every request. */
  handle: RequestListener;
  /**
   * Absent where the database has all migrations. Otherwise it resolves when the database has them, or when the service
   * is closed; it rejects with {MigrationError} when one cannot be applied.
   */
  migrating: Promise<void> | undefined;
  /** Text for a terminal: where the process serves, and what to do next where the database answers. */
  greeting(): Promise<string>;
  /** Ends background work and closes the connections. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  config: Config;
  database: DatabaseUrls;
  /** The address of this process on this machine. */
  local: string;
  /** Next.js. */
  renderPage(request: IncomingMessage, response: ServerResponse): Promise<void>;
  log: Logger;
  /** Aborted when the process is to stop: requests under way are finished, but no migration begins any more. */
  stopping: AbortSignal;
}

/**
 * Opens the connections, migrates the database where it can be reached, and starts background work.
 * @throws {MigrationError} when a migration cannot be applied; {ConfigError} when no secret can be kept.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, database, local, renderPage, log, stopping } = options;
  const { keyPrefix, publicUrl, proxies, isSignUpOpen, oidc } = config;
  const db = openDatabase(database.url);
  const stop = new AbortController();
  let upkeep = Promise.resolve();
  const close = async () => {
    stop.abort();
    await withinDeadline(upkeep);
    await withinDeadline(db.close());
  };
  try {
    const migration = await migrateWhenReachable(database, log, AbortSignal.any([stop.signal, stopping]));
    const isMigrated = () => migration.isDone;
    const source: ContextSource = {
      db,
      validKeys: new ValidKeys(db.lookUpPool),
      keyPrefix,
      isMigrated,
      secrets: await authSecrets(config),
      sessionIdleDays: config.sessionIdleDays,
      reach: { publicUrl, proxies },
      gateways: new Gateways(config.gatewayTokens, db.lookUpPool, isMigrated),
      authorizer: new Authorizer(db, config),
      keyInsertion: new KeyInsertion(db.lookUpPool),
      accountTurns: new AccountTurns(config.accountConcurrency),
      rateLimit: config.rateLimitPerMinute === undefined ? undefined : new RateLimit(config.rateLimitPerMinute),
      signInOptions: { sign_up: isSignUpOpen, single_sign_on: oidc?.name ?? null },
    };
    providePageCaller((headers) => {
      const header = (name: string) => headers.get(name) ?? undefined;
      const credentials = browserCredentials(header, null, source);
      return appRouter.createCaller(createContext(source, credentials, visit.getStore()));
    });
    upkeep = migration.done.then(
      async () => {
        if (!isMigrated()) return;
        await Promise.all([
          runUpkeep(db, config.ledgerRetentionDays, log, stop.signal),
          runLargeChangeUpkeep(db, log, stop.signal),
          renewSecondFactors(db, source.secrets, log, stop.signal),
        ]);
      },
      () => {},
    );
    void sweep(db, log, stop.signal);
    return {
      handle: createRequestListener({
        source,
        auth: { ...source, isSignUpOpen, oidc },
        isDatabaseReady: () => db.pool.query("SELECT 1").then(isMigrated, () => false),
        renderPage,
        log,
      }),
      migrating: isMigrated() ? undefined : migration.done,
      async greeting() {
        const next = isMigrated() ? await nextSteps(db, publicUrl ?? local) : [];
        return [`Allowance serves at ${local}`, ...plainHttpWarning(config), ...next].join("\n");
      },
      close,
    };
  } catch (error) {
    // What went wrong first is what the operator needs to know.
    await close().catch(() => {});
    throw error;
  }
}

/** Deletes what has expired, every hour. */
async function sweep(db: Database, log: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(SWEEP_PAUSE_MS, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    await deleteExpired(db).catch((error: unknown) => log.warn({ err: error }, "nothing expired deleted"));
  }
}

/** What to do next: create the first account, or sign in. Empty while the database is away. */
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
    `  ${LAUNCHER === undefined ? "npm run -s account:create --" : `node ${LAUNCHER} account create`} --email owner@example.com`,
    `and read how to use it at ${address}/docs`,
  ];
}

/**
 * Applies the migrations. Where the database cannot be reached, it tries again in the background, so that the process
 * serves (503) in whatever order the two are started. A history that does not fit is an error at once.
 */
async function migrateWhenReachable(
  database: DatabaseUrls,
  log: Logger,
  signal: AbortSignal,
): Promise<{ isDone: boolean; done: Promise<void> }> {
  const migration = { isDone: false, done: Promise.resolve() };
  const attempt = async () => {
    try {
      const applied = await prepareDatabase(database);
      if (applied.length > 0) log.info({ applied }, "migrated");
      migration.isDone = true;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      log.error({ err: error }, "the database cannot be reached; trying again");
    }
  };
  await attempt();
  migration.done = retry(attempt, migration, signal);
  return migration;
}

async function retry(attempt: () => Promise<void>, migration: { isDone: boolean }, signal: AbortSignal): Promise<void> {
  while (!migration.isDone && !signal.aborted) {
    await delay(RETRY_PAUSE_MS, undefined, { signal }).catch(() => {});
    if (!signal.aborted) await attempt();
  }
}

async function withinDeadline(work: Promise<void>): Promise<void> {
  await Promise.race([work, delay(CLOSE_DEADLINE_MS, undefined, { ref: false })]);
}
