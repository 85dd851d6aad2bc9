import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config, DatabaseUrls } from "./config";
import type { Speech } from "./db/connection";
import { isDatabaseUnavailable } from "./db/failure";
import { type Outage, outage, outageOf } from "./db/outage";
import { fitPooler } from "./db/pooler";
import { prepareDatabase } from "./db/privileges";

const RETRY_PAUSE_MS = 1_000;

export interface PreparationOptions {
  config: Config;
  database: DatabaseUrls;
  /** Of the connections that will use the database. Absent: there are none in this process. */
  speech?: Speech;
  log: Logger;
}

/**
 * Makes the database ready for this version: applies the migrations, and finds out whether a pooler stands before it. Where
 * the database cannot be reached, it tries again in the background, so that the process serves (503) in whatever order the
 * two are started. A history that does not fit is an error at once.
 */
export class Preparation {
  /** Why the database is not ready yet; undefined from then on. */
  outage: Outage | undefined = outage("migrations_pending");

  constructor(private readonly options: PreparationOptions) {}

  /** @throws {MigrationError}, {PrivilegeError} when trying again does not help. */
  async attempt(): Promise<void> {
    const { config, database, speech, log } = this.options;
    try {
      const applied = await prepareDatabase(database);
      if (applied.length > 0) log.info({ applied }, "migrated");
      const pooler = config.database && speech && (await fitPooler(config.database.url, speech));
      if (pooler && pooler.mode !== "none") log.info({ mode: pooler.mode }, "the database is behind a pooler");
      this.outage = undefined;
    } catch (error) {
      const found = outageOf(error);
      if (!isDatabaseUnavailable(error)) throw error;
      if (found.cause !== this.outage?.cause) {
        log.error({ cause: found.cause, err: error }, `${found.message}; trying again`);
      }
      this.outage = found;
    }
  }

  /** Tries until the database is ready, or the signal aborts. */
  async retry(signal: AbortSignal): Promise<void> {
    while (this.outage && !signal.aborted) {
      await delay(RETRY_PAUSE_MS, undefined, { signal }).catch(() => {});
      if (!signal.aborted) await this.attempt();
    }
  }
}
