import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import type { AccountId } from "../auth/account-id";
import { type Answer, Authorizer } from "../authorizations/authorizer";
import type { Database } from "../db/client";
import { Pipeline } from "../db/pipeline";
import { database, newAccount, newKey } from "./database";
import { type FakeClock, makeFakeClock } from "./fake-clock";

export interface Asking {
  at?: Authorizer;
  amount?: number;
  requestId?: string;
  ttlSeconds?: number;
  names?: { apikey: string } | { apikeyId: string };
  model?: string;
}

/**
 * Two processes that decide on a key, each by what it knows of it. Before each test of a file they are new, and so is the
 * key. Their clock stands still.
 */
export class TwoProcesses {
  clock!: FakeClock;
  databases!: Database[];
  accountId!: AccountId;
  key!: { apikey: string; id: string };
  anotherKey!: { apikey: string; id: string };
  authorizer!: Authorizer;
  other!: Authorizer;

  constructor() {
    beforeAll(async () => {
      this.clock = await makeFakeClock(database);
      this.databases = [this.clock.open(), this.clock.open()];
    });
    afterAll(() => Promise.all(this.databases.map((each) => each.close())));
    beforeEach(async () => {
      this.accountId = (await newAccount()).account_id;
      await change("account", "time_zone = 'UTC'", "id", this.accountId);
      this.key = await newKey(this.accountId, { budget: 1000 });
      this.anotherKey = await newKey(this.accountId);
      [this.authorizer, this.other] = this.databases.map((db) => new Authorizer(db, { maxOpenHolds: 100 })) as [
        Authorizer,
        Authorizer,
      ];
      // Both clocks stand still, so that the process always knows which second it is for the database.
      vi.useFakeTimers({ toFake: ["performance"] });
      await this.clock.set(new Date("2026-11-23T12:00:00.700Z"));
    });
    afterEach(() => {
      vi.useRealTimers();
    });
  }

  authorize = ({ at = this.authorizer, amount = 10, requestId, ttlSeconds = 600, names, model }: Asking = {}) =>
    at.authorize(
      {
        ...(names ?? { apikey: this.key.apikey }),
        ...(model === undefined
          ? { amount, inputPrice: undefined, outputPrice: undefined }
          : { model, inputTokens: 1000, cachedInputTokens: undefined, maxOutputTokens: 1000 }),
        requestId,
        ttlSeconds,
      },
      this.accountId,
    );

  capture = ({ authorizationId }: Answer, amount = 8, at = this.authorizer) =>
    at.capture(this.accountId, { id: authorizationId ?? "", amount });

  /** Puts the clock of the database, and lets the process learn of it by another key. */
  putClock = async (time: string): Promise<void> => {
    await this.clock.set(new Date(time));
    await this.authorize({ names: { apikey: this.anotherKey.apikey } });
  };

  /** The row of the key and that of its account as a process knows them, and since when the server runs. */
  readVersions = async () => {
    const { rows } = await database.pool.query(
      `SELECT key.xmin::text AS version, account.xmin::text AS account_version,
          date_part('epoch', pg_postmaster_start_time())::text AS server
        FROM api_key key JOIN account ON account.id = key.account_id WHERE key.id = $1`,
      [this.key.id],
    );
    return rows[0];
  };
}

export const change = (table: string, set: string, name: string, value: string) =>
  database.pool.query(`UPDATE ${table} SET ${set} WHERE ${name} = $1`, [value]);

/** The names of the statements that decisions and checks send while something is done. */
export const sentBy = async (work: () => Promise<unknown>) => (await piecesSentBy(work)).flat();

/** The same, apart by the pieces in which they are sent. */
export async function piecesSentBy(work: () => Promise<unknown>): Promise<(string | undefined)[][]> {
  const query = vi.spyOn(Client.prototype, "query");
  try {
    await work();
    return query.mock.calls.flatMap(([first]) => {
      const sent: unknown = first;
      return sent instanceof Pipeline ? [sent.statements.map(({ name }) => name)] : [];
    });
  } finally {
    query.mockRestore();
  }
}
