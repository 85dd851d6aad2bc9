import { Client, type QueryResult } from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type PgBouncer, startPgBouncer, withoutPgBouncer } from "@/e2e/pgbouncer";
import { openDatabase } from "./client";
import { BEGIN, COMMIT, sendTogether } from "./pipeline";
import { findPooler } from "./pooler";

const reason = withoutPgBouncer();
if (reason) console.log(`the tests of poolers are skipped: ${reason}`);

test("PostgreSQL itself is no pooler", async () => {
  expect(await findPooler(inject("databaseUrl"))).toEqual({ mode: "none", keepsStatements: true });
});

describe.skipIf(reason)("PgBouncer without prepared statements", () => {
  let inSession: PgBouncer;
  let inTransaction: PgBouncer;

  beforeAll(async () => {
    inSession = await startPgBouncer(inject("databaseUrl"), "session");
    inTransaction = await startPgBouncer(inject("databaseUrl"), "transaction");
  });
  afterAll(async () => {
    await inSession.stop();
    await inTransaction.stop();
  });

  test("its mode is found, also while others use it", async () => {
    expect(await findPooler(inSession.url)).toEqual({ mode: "session", keepsStatements: true });
    const found = await Promise.all([1, 2, 3, 4, 5].map(() => findPooler(inTransaction.url)));
    expect(found).toEqual(Array(5).fill({ mode: "transaction", keepsStatements: false }));
  });

  test("its mode is found after another client took the process of the first try", async () => {
    // A new one, whose processes have no statement of another probe, by which the mode would be found at once.
    const fresh = await startPgBouncer(inject("databaseUrl"), "transaction");
    const other = new Client({ connectionString: fresh.url });
    await other.connect();
    const send = Client.prototype.query as unknown as (this: Client, ...given: unknown[]) => Promise<QueryResult>;
    let isTaken = false;
    const spy = vi.spyOn(Client.prototype, "query").mockImplementation(async function (
      this: Client,
      ...given: unknown[]
    ) {
      if (given[0] !== "BEGIN" || isTaken) return send.apply(this, given);
      isTaken = true;
      await send.call(other, "BEGIN");
      const begun = await send.apply(this, given);
      await send.call(other, "COMMIT");
      return begun;
    } as never);
    try {
      expect(await findPooler(fresh.url)).toEqual({ mode: "transaction", keepsStatements: false });
    } finally {
      spy.mockRestore();
      await other.end();
      await fresh.stop();
    }
    expect(isTaken).toBe(true);
  });

  test("in transaction mode: where a transaction cannot begin, none of its statements is sent", async () => {
    const db = openDatabase(inTransaction.url, { usesNames: false });
    const client = await db.spendPool.connect();
    const send = Client.prototype.query as unknown as (this: Client, ...given: unknown[]) => Promise<QueryResult>;
    const spy = vi.spyOn(Client.prototype, "query").mockImplementation(async function (
      this: Client,
      ...given: unknown[]
    ) {
      if (String(given[0]).startsWith("BEGIN")) throw new Error("canceled");
      return send.apply(this, given);
    } as never);
    try {
      const statement = { text: "SELECT 1", values: [] };
      await expect(sendTogether(client, [BEGIN, statement, COMMIT])).rejects.toThrow("canceled");
      expect(spy).toHaveBeenCalledTimes(1);
    } finally {
      spy.mockRestore();
      client.release();
      await db.close();
    }
  });

  test("in transaction mode: limits of time hold in each transaction, and for nobody else", async () => {
    const db = openDatabase(inTransaction.url, { usesNames: false });
    const settings =
      "SELECT current_setting('statement_timeout') AS a, current_setting('idle_in_transaction_session_timeout') AS b";
    expect((await db.spendPool.query(settings)).rows).toEqual([{ a: "30s", b: "10s" }]);
    expect(await db.prisma.$queryRawUnsafe(settings)).toEqual([{ a: "30s", b: "0" }]);
    expect(await db.prisma.$transaction((transaction) => transaction.$queryRawUnsafe(settings))).toEqual([
      { a: "30s", b: "0" },
    ]);
    await expect(db.pool.query("SELECT 1 / 0")).rejects.toThrow("division by zero");
    await db.close();
    const other = new Client({ connectionString: inTransaction.url });
    await other.connect();
    expect((await other.query(settings)).rows).toEqual([{ a: "0", b: "0" }]);
    await other.end();
  });
});
