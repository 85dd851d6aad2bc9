import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { Authorizer } from "../server/authorizations/authorizer";
import { openDatabase } from "../server/db/client";
import { atLeast, atMost, type Part } from "./part";
import { sized } from "./quick";
import { type Servers, withServers } from "./servers";
import { seedSpenders } from "./spend";
import { count, megabytes, table } from "./table";

/** A table before and after the captures. */
interface TableGrowth {
  name: string;
  bytesBefore: number;
  bytesAfter: number;
  updates: number;
  /** Updates that changed no index and stayed on their page. */
  hotUpdates: number;
  /** Rows that were inserted. */
  inserts: number;
}

interface Figures {
  captures: number;
  /** Captures per second in each tenth of the run. */
  perSecond: number[];
  tables: TableGrowth[];
  /** Bytes of the ledger for a capture, with its index. */
  ledgerBytes: number;
}

const CAPTURES = sized(1_000_000, 20_000);
const HOT_KEYS = 10;
/** Calls under way at once. */
const CONCURRENCY = 320;
const TENTH = CAPTURES / 10;
/** The table of keys may become so many times as large. */
const GREATEST_GROWTH = 2;
const LEAST_HOT_SHARE = 0.95;
const GREATEST_LEDGER_BYTES = 130;
const STATISTICS_DEADLINE_MS = 60_000;

/** What a million captures on ten keys leave in the tables. */
export const bloat: Part<Figures> = {
  name: "bloat",
  isOnRequest: true,
  measure: (folder) => withServers(folder, measure),
  report: ({ captures, perSecond, tables, ledgerBytes }) => `## What captures leave in the tables

${count(captures)} authorizations and captures on ${HOT_KEYS} of 1,000 keys, through the product's \`Authorizer\` without HTTP, beside the
running product. Captures per second in each tenth of the run: ${perSecond.map(count).join(", ")}. The ledger takes
${ledgerBytes.toFixed(0)} bytes a capture with its index. An update is HOT when it writes no index.

${table(
  ["table, with its indexes", "before", "after", "inserts", "updates", "HOT"],
  tables.map(({ name, bytesBefore, bytesAfter, inserts, updates, hotUpdates }) => [
    name,
    megabytes(bytesBefore),
    megabytes(bytesAfter),
    count(inserts),
    count(updates),
    updates === 0 ? "" : `${((hotUpdates / updates) * 100).toFixed(1)} %`,
  ]),
)}`,
  targets: ({ tables, ledgerBytes }) => [
    ...tables
      .filter(({ name }) => name === "api_key")
      .flatMap(({ bytesBefore, bytesAfter, updates, hotUpdates }) => [
        atMost("table of keys after the captures: times as large", bytesAfter / bytesBefore, GREATEST_GROWTH),
        atLeast("table of keys: share of HOT updates", hotUpdates / updates, LEAST_HOT_SHARE),
      ]),
    atMost("ledger for a capture", ledgerBytes, GREATEST_LEDGER_BYTES, "bytes"),
  ],
};

async function measure(servers: Servers): Promise<Figures> {
  const { client, databaseUrl } = servers;
  const keys = (await seedSpenders(servers)).slice(0, HOT_KEYS);
  const before = await readTables(client);
  const perSecond = await spendOn(keys, databaseUrl);
  const recorded = (before.get("ledger")?.inserts ?? 0) + CAPTURES;
  const after = await readTablesWhen(client, (tables) => tables.get("ledger")?.inserts === recorded);
  const tables = [...after].flatMap(([name, { bytes, ...now }]) => {
    const old = before.get(name) ?? { bytes: 0, updates: 0, hotUpdates: 0, inserts: 0 };
    const changes = {
      updates: now.updates - old.updates,
      hotUpdates: now.hotUpdates - old.hotUpdates,
      inserts: now.inserts - old.inserts,
    };
    const isTouched = changes.updates + changes.inserts > 0;
    return isTouched ? [{ name, bytesBefore: old.bytes, bytesAfter: bytes, ...changes }] : [];
  });
  const ledger = tables.find(({ name }) => name === "ledger");
  if (!ledger) throw new Error("nothing was recorded");
  const ledgerBytes = (ledger.bytesAfter - ledger.bytesBefore) / CAPTURES;
  return { captures: CAPTURES, perSecond, tables, ledgerBytes };
}

/** Authorizes and captures on the keys in turn. Returns the captures per second in each tenth. */
async function spendOn(keys: readonly string[], databaseUrl: string): Promise<number[]> {
  const db = openDatabase(databaseUrl);
  const authorizer = new Authorizer(db, { maxOpenHolds: 1000 });
  const perSecond: number[] = [];
  let begun = performance.now();
  let left = CAPTURES;
  let captured = 0;
  const work = async () => {
    while (left-- > 0) {
      const { verdict, key, authorizationId } = await authorizer.authorize(
        {
          apikey: keys[left % keys.length] ?? "",
          amount: 2.5,
          inputPrice: undefined,
          outputPrice: undefined,
          requestId: undefined,
          ttlSeconds: 600,
        },
        { name: "bench", accountIds: undefined },
      );
      if (!key || authorizationId === null) throw new Error(`not granted: ${verdict}`);
      const settled = await authorizer.capture(key.accountId, { id: authorizationId, amount: 2.1 });
      if (!settled.ok || !settled.isNew) throw new Error(`not captured: ${authorizationId}`);
      if (++captured % TENTH !== 0) continue;
      perSecond.push((TENTH * 1000) / (performance.now() - begun));
      begun = performance.now();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await db.close();
  return perSecond;
}

interface TableState {
  /** With indexes. */
  bytes: number;
  updates: number;
  hotUpdates: number;
  inserts: number;
}

/** Waits until every connection has told PostgreSQL what it changed, which it does some time after a transaction. */
async function readTablesWhen(
  client: Client,
  isComplete: (tables: Map<string, TableState>) => boolean,
): Promise<Map<string, TableState>> {
  for (const deadline = Date.now() + STATISTICS_DEADLINE_MS; Date.now() < deadline; await delay(500)) {
    const tables = await readTables(client);
    if (isComplete(tables)) return tables;
  }
  throw new Error("the statistics of PostgreSQL do not have every capture");
}

/** The product's tables. The partitions of one count as one. */
async function readTables(client: Client): Promise<Map<string, TableState>> {
  const { rows } = await client.query<TableState & { name: string }>(
    `SELECT coalesce(whole.relname, stat.relname) AS name,
        sum(pg_total_relation_size(stat.relid))::float8 AS bytes,
        sum(n_tup_upd)::float8 AS updates,
        sum(n_tup_hot_upd)::float8 AS "hotUpdates",
        sum(n_tup_ins)::float8 AS inserts
      FROM pg_stat_user_tables stat
      LEFT JOIN pg_inherits part ON part.inhrelid = stat.relid
      LEFT JOIN pg_class whole ON whole.oid = part.inhparent
      WHERE schemaname = 'public'
      GROUP BY 1 ORDER BY 1`,
  );
  return new Map(rows.map(({ name, ...state }) => [name, state]));
}
