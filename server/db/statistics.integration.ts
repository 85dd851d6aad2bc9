import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type NewDatabase, newDatabase } from "../testing/new-database";
import { LOCKS } from "./advisory-locks";
import { type Database, openDatabase } from "./client";
import { analyzeAll, analyzeGrown } from "./statistics";

let empty: NewDatabase;
let db: Database;
let other: Client;

beforeAll(async () => {
  empty = await newDatabase();
  db = openDatabase(empty.url);
  other = new Client({ connectionString: empty.url });
  await other.connect();
});
afterAll(async () => {
  await Promise.all([db.close(), other.end()]);
  await empty.remove();
});
const makeTable = async () => {
  await db.pool.query("DROP TABLE IF EXISTS kept");
  await db.pool.query("CREATE TABLE kept (id int PRIMARY KEY, text text) WITH (autovacuum_enabled = false)");
};
beforeEach(makeTable);

const insert = (from: number, to: number) =>
  db.pool.query("INSERT INTO kept SELECT n, repeat('x', 100) FROM generate_series($1::int, $2::int) AS n", [from, to]);
/** How many rows PostgreSQL believes the table had when it last looked: -1 when it has not. */
const knownRows = async () =>
  (await db.pool.query("SELECT reltuples FROM pg_class WHERE relname = 'kept'")).rows[0].reltuples;

test("a table is analysed once it has rows, and again when it has doubled, not before", async () => {
  await analyzeGrown(db.pool);
  expect(await knownRows()).toBe(-1);
  await insert(1, 1_000);
  await analyzeGrown(db.pool);
  expect(await knownRows()).toBe(1_000);
  await insert(1_001, 1_500);
  await analyzeGrown(db.pool);
  expect(await knownRows()).toBe(1_000);
  await insert(1_501, 2_500);
  await analyzeGrown(db.pool);
  expect(await knownRows()).toBe(2_500);
});

test("a plan that was kept from a few rows is replaced", async () => {
  const plan = async () => {
    const { rows } = await other.query("EXPLAIN EXECUTE find(1)");
    return /\w+ Scan/.exec(rows.map((row) => row["QUERY PLAN"]).join("\n"))?.[0];
  };
  await other.query("SET plan_cache_mode = force_generic_plan");
  const plans = async () => {
    await makeTable();
    await insert(1, 10);
    await analyzeGrown(db.pool);
    await other.query("PREPARE find(int) AS SELECT text FROM kept WHERE id = $1");
    const ofFew = await plan();
    await insert(11, 10_000);
    const kept = await plan();
    await analyzeGrown(db.pool);
    const replaced = await plan();
    await other.query("DEALLOCATE find");
    return [ofFew, kept, replaced];
  };
  // PostgreSQL also replaces every plan when other sessions have changed very much of its catalogue. Then it is tried again.
  await expect.poll(plans).toEqual(["Seq Scan", "Seq Scan", "Index Scan"]);
});

test("that a table was empty is forgotten", async () => {
  await db.pool.query("ANALYZE kept");
  expect(await knownRows()).toBe(0);
  await analyzeGrown(db.pool);
  expect(await knownRows()).toBe(-1);
});

test("while another process does it, nothing is done, and nothing waits", async () => {
  await insert(1, 1_000);
  await other.query("BEGIN");
  const { rows } = await other.query("SELECT pg_try_advisory_xact_lock($1) AS locked", [LOCKS.statistics]);
  expect(rows[0].locked).toBe(true);
  await analyzeGrown(db.pool);
  expect(await knownRows()).toBe(-1);
  await other.query("ROLLBACK");
  await analyzeGrown(db.pool);
  expect(await knownRows()).toBe(1_000);
});

test("a table that is being vacuumed or analysed is left for the next time", async () => {
  await insert(1, 1_000);
  await other.query("BEGIN; LOCK TABLE kept IN SHARE UPDATE EXCLUSIVE MODE");
  await analyzeGrown(db.pool);
  await other.query("ROLLBACK");
  expect(await knownRows()).toBe(-1);
  await analyzeGrown(db.pool);
  expect(await knownRows()).toBe(1_000);
});

test("after a migration every table that has rows is analysed, and no empty one", async () => {
  await db.pool.query("CREATE TABLE empty ()");
  await insert(1, 100);
  await analyzeAll(other);
  expect(await knownRows()).toBe(100);
  const { rows } = await db.pool.query("SELECT reltuples FROM pg_class WHERE relname = 'empty'");
  expect(rows[0].reltuples).toBe(-1);
});
