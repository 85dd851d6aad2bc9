import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { DatabaseUrls } from "./config";
import { isDatabaseUnavailable } from "./db/failure";
import { prepareDatabase } from "./db/privileges";

const RETRY_PAUSE_MS = 1_000;

/** Whether the database has all migrations. */
export interface Migration {
  isDone: boolean;
  /** Resolves when it is done, or when nobody waits for it any more. Rejects with {MigrationError}. */
  done: Promise<void>;
}

/**
 * Applies the migrations. Where the database cannot be reached, it tries again in the background, so that the process
 * serves (503) in whatever order the two are started. A history that does not fit is an error at once.
 */
export async function migrateWhenReachable(
  database: DatabaseUrls,
  log: Logger,
  signal: AbortSignal,
): Promise<Migration> {
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
