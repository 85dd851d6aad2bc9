import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { AccountTurns } from "./account-turns";
import { deleteExpired } from "./auth/expired";
import { Gateways } from "./auth/gateway";
import { KeyOwners } from "./auth/key-owner";
import { KnownSpenders } from "./auth/known-spenders";
import { type AuthSecrets, authSecrets } from "./auth/secret";
import { compareSecret } from "./auth/secret-comparison";
import { renewSecondFactors } from "./auth/secret-rotation";
import { setUpToken } from "./auth/set-up";
import { ValidKeys } from "./auth/valid-keys";
import { browserOrigin, clientAddress } from "./auth/visitor";
import { Authorizer } from "./authorizations/authorizer";
import { runUpkeep } from "./authorizations/upkeep";
import type { Config, DatabaseUrls } from "./config";
import { browserCredentials, type ContextSource, createContext } from "./context";
import { type Database, openDatabase } from "./db/client";
import { clusterFolder } from "./db/cluster";
import { isDatabaseUnavailable } from "./db/failure";
import { Heartbeat } from "./db/heartbeat";
import { diskFault } from "./db/postmaster";
import { openReadReplica, type Reads } from "./db/read-replica";
import { inTurn } from "./db/turn";
import { createRequestHandlers, type RequestHandlers, visit } from "./http";
import { ACCOUNT_CREATE } from "./installation";
import { KeyInsertion } from "./keys/insertion";
import "./metrics/build";
import { runLargeChangeUpkeep } from "./keys/large-change-queries";
import { measureDatabase } from "./metrics/database";
import { MetricsEndpoint } from "./metrics/endpoint";
import { measurePools } from "./metrics/pools";
import { countReplicaRead } from "./metrics/read-replica";
import { measureProcess, metricsText } from "./metrics/registry";
import { measureUpkeep } from "./metrics/upkeep";
import { providePageCaller } from "./page-caller";
import { providePageReference } from "./page-reference";
import { providePageStatus } from "./page-status";
import { plainHttpWarning } from "./plain-http";
import { Preparation } from "./preparation";
import { Catalogues } from "./prices/catalogues";
import { RateLimit, type RequestCount } from "./rate-limit";
import type { Readiness } from "./readiness";
import { apiDocument } from "./rest/openapi";
import { appRouter } from "./router";
import { startTracing } from "./tracing/active-tracing";

const SWEEP_PAUSE_MS = 60 * 60 * 1000;
const CLOSE_DEADLINE_MS = 3_000;
const TOKEN_PAUSE_MS = 1_000;

/** Everything between the port and the database. `npm run dev` replaces it after a change. The port stays. */
export interface Service {
  /** Answer every request. */
  handlers: RequestHandlers;
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
  /** Gets to know whether the process can serve. */
  readiness: Readiness;
  log: Logger;
  /** Aborted when the process is to stop: requests under way are finished, but no migration begins any more. */
  stopping: AbortSignal;
  /** What the primary process does for all workers together. Absent: this process serves alone on its port. */
  shared?: { requestCount: RequestCount; metricsText(): Promise<string> };
}

/**
 * Opens the connections, migrates the database where it can be reached, and starts background work.
 * @throws {MigrationError} when a migration cannot be applied; {ConfigError} when no secret can be kept.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, database, local, renderPage, readiness, log, stopping, shared } = options;
  const { keyPrefix, publicUrl, proxies, isSignUpOpen, oidc } = config;
  measureProcess();
  const tracing = await startTracing(config.tracing, log);
  const db = openDatabase(database.url, { usesNames: config.usesNamedStatements });
  for (const pool of db.pools) tracing?.tracePool(pool);
  const replica = config.readUrl === undefined ? undefined : openReadReplica(config.readUrl, db, log, countReplicaRead);
  measurePools(db.pools, replica?.pools ?? []);
  const read: Reads = replica?.read ?? ((work) => work(db));
  const stop = new AbortController();
  const ending = AbortSignal.any([stop.signal, stopping]);
  const preparation = new Preparation({ config, database, speech: db.speech, log });
  const heartbeat = new Heartbeat({
    url: database.url,
    db,
    log,
    preparing: () => preparation.outage,
    diskFault: config.database ? undefined : () => diskFault(clusterFolder(config.dataDir)),
  });
  let upkeep = Promise.resolve();
  const close = async () => {
    stop.abort();
    await withinDeadline(upkeep);
    await Promise.all([heartbeat.close(), db.close(), replica?.close()].map(withinDeadline));
    await withinDeadline(tracing?.close());
  };
  try {
    readiness.follow(() => heartbeat.check());
    heartbeat.start();
    await preparation.attempt();
    const migration = { done: preparation.retry(ending) };
    const isMigrated = () => preparation.outage === undefined;
    const catalogues = new Catalogues(db);
    const keyOwners = new KeyOwners(db);
    const knownSpenders = new KnownSpenders();
    const source: ContextSource = {
      db,
      read,
      // Where the requests of a key are counted, it is recognised first: the count comes before the input is judged.
      validKeys: new ValidKeys(db, keyOwners, config.rateLimitPerMinute === undefined ? knownSpenders : undefined),
      knownSpenders,
      keyPrefix,
      isMigrated,
      secrets: await authSecrets(config),
      sessionIdleDays: config.sessionIdleDays,
      reach: { publicUrl, proxies },
      gateways: new Gateways(config.gatewayTokens, db.lookUpPool, isMigrated, knownSpenders),
      authorizer: new Authorizer(db, config, catalogues, keyOwners),
      catalogues,
      keyInsertion: new KeyInsertion(db),
      accountTurns: new AccountTurns(config.accountConcurrency, config.workers),
      activityRetentionDays: config.activityRetentionDays,
      rateLimit:
        config.rateLimitPerMinute === undefined
          ? undefined
          : (shared?.requestCount ?? new RateLimit(config.rateLimitPerMinute)),
      signInOptions: { sign_up: isSignUpOpen, single_sign_on: oidc?.name ?? null },
      gatewayUrl: config.gatewayUrl,
    };
    providePageCaller((headers) => {
      const header = (name: string) => headers.get(name) ?? undefined;
      const credentials = browserCredentials(header, clientAddress(header, null, source.reach), source);
      return appRouter.createCaller(createContext(source, credentials, visit.getStore()?.recognized));
    });
    providePageStatus((status) => visit.getStore()?.setStatus(status));
    providePageReference(async (headers) => ({
      document: await apiDocument(),
      origin: browserOrigin((name) => headers.get(name) ?? undefined, source.reach),
    }));
    upkeep = migration.done.then(
      async () => {
        if (!isMigrated()) return;
        await Promise.all([
          runUpkeep(db, config, log, stop.signal),
          runLargeChangeUpkeep(db, log, stop.signal),
          renewSecondFactors(db, source.secrets, log, stop.signal),
          compareSecret(db, source.secrets, log),
        ]);
      },
      () => {},
    );
    void sweep(db, log, stop.signal);
    measureDatabase(db.pool, async () => (await readiness.check()) === undefined);
    return {
      handlers: createRequestHandlers({
        source,
        auth: { ...source, isSignUpOpen, oidc },
        readiness,
        metrics: new MetricsEndpoint(config.metricsToken, shared?.metricsText ?? metricsText),
        renderPage,
        log,
      }),
      migrating: isMigrated() ? undefined : migration.done,
      async greeting() {
        const next = isMigrated() ? await nextSteps(db, source.secrets, publicUrl ?? local, ending) : [];
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

/** Deletes what has expired, every hour. Of several processes on the database, one does it. */
async function sweep(db: Database, log: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(SWEEP_PAUSE_MS, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    const turn = inTurn(db.pool, "what has expired", SWEEP_PAUSE_MS / 2, () =>
      measureUpkeep("delete_expired", () => deleteExpired(db)),
    );
    await turn.catch((error: unknown) => log.warn({ err: error }, "nothing expired deleted"));
  }
}

/** What to do next: create the first account, or sign in. Empty where the signal aborts. */
async function nextSteps(db: Database, secrets: AuthSecrets, address: string, signal: AbortSignal): Promise<string[]> {
  const token = await knownToken(db, secrets, signal);
  if (signal.aborted) return [];
  return [
    ...(token === undefined
      ? ["Next: sign in at", `  ${address}/sign-in`]
      : [
          "Next: make the first account in a browser, with this link (once, within 24 hours)",
          `  ${address}/set-up?token=${token}`,
        ]),
    "or make an account and get its default key with",
    `  ${ACCOUNT_CREATE} --email owner@example.com`,
    `and read how to use it at ${address}/docs`,
  ];
}

/** The token of the set-up link; undefined where there is an account. It waits until the database says which, or the signal. */
async function knownToken(db: Database, secrets: AuthSecrets, signal: AbortSignal): Promise<string | undefined> {
  while (!signal.aborted) {
    try {
      return await setUpToken(db, secrets);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await delay(TOKEN_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

async function withinDeadline(work: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([work, delay(CLOSE_DEADLINE_MS, undefined, { ref: false })]);
}
