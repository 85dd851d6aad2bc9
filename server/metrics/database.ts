import type { Pool } from "pg";
import { Gauge } from "prom-client";
import { inTransaction } from "../db/transaction";
import { registry } from "./registry";

/** How old figures may be. Sizes come from the file system, and there may be hundreds of partitions. */
const READ_EVERY_MS = 60_000;
/** Older figures are not shown: the database has not answered since. */
const OLDEST_MS = 150_000;
/** How long a scrape waits for figures. */
const SCRAPE_WAIT_MS = 1_000;
const STATEMENT_TIMEOUT_MS = 2_000;

interface Table {
  name: string;
  bytes: number | null;
  /** Null where PostgreSQL has never counted. */
  rows: number | null;
}

interface Figures {
  readAt: number;
  version: string;
  tables: Table[];
}

/** PostgreSQL estimates rows when it analyses a table. The partitions of a table are counted as that table. */
const TABLES = `
  SELECT coalesce(parent.relname, class.relname) AS name,
    sum(pg_total_relation_size(class.oid))::float8 AS bytes,
    sum(class.reltuples) FILTER (WHERE class.reltuples >= 0)::float8 AS rows
  FROM pg_class class
  LEFT JOIN pg_inherits ON inhrelid = class.oid
  LEFT JOIN pg_class parent ON parent.oid = inhparent
  WHERE class.relkind = 'r' AND class.relnamespace = current_schema()::regnamespace AND class.relpersistence <> 't'
  GROUP BY 1`;

/** Sets the metrics of this file. All of them ask for it at once, so that the database is asked once. */
let refresh: () => Promise<void> = async () => {};
const collect = () => refresh();

const ready = new Gauge({
  name: "allowance_ready",
  help: "1 while the database answers and has all migrations, as GET /readyz says; 0 otherwise.",
  aggregator: "min",
  registers: [registry],
  collect,
});

const tableBytes = new Gauge({
  name: "allowance_table_bytes",
  help: "Size of a table on disk with its indexes and partitions, at most 150 seconds old. Absent while the database is away.",
  labelNames: ["table"],
  aggregator: "max",
  registers: [registry],
  collect,
});

const tableRows = new Gauge({
  name: "allowance_table_rows",
  help: "Rows of a table as PostgreSQL estimates them. Absent while the database is away, and before its first estimate.",
  labelNames: ["table"],
  aggregator: "max",
  registers: [registry],
  collect,
});

const databaseInfo = new Gauge({
  name: "allowance_database_info",
  help: "Always 1. The version of PostgreSQL stands in the label. Absent while the database is away.",
  labelNames: ["version"],
  aggregator: "first",
  registers: [registry],
  collect,
});

/**
 * Measures this database from now on: whether it can be used, at each scrape, and its tables, at most once a minute. A scrape
 * waits for a second at most for each of the two, also when the database is away or hangs.
 * @param isReady whether the database can be used, as the probe of readiness says.
 */
export function measureDatabase(pool: Pool, isReady: () => Promise<boolean>): void {
  let figures: Figures | undefined;
  const readFigures = oneAtATime(async () => {
    if (figures !== undefined && performance.now() - figures.readAt < READ_EVERY_MS) return;
    figures = await read(pool);
  });
  const readReadiness = oneAtATime(isReady);
  refresh = oneAtATime(async () => {
    const isReadyNow = await Promise.race([readReadiness().catch(() => false), waitAtMost(SCRAPE_WAIT_MS, false)]);
    ready.set(isReadyNow ? 1 : 0);
    if (isReadyNow) await Promise.race([readFigures().catch(() => {}), waitAtMost(SCRAPE_WAIT_MS, undefined)]);
    const isFresh = figures !== undefined && performance.now() - figures.readAt < OLDEST_MS;
    show(isReadyNow && isFresh ? figures : undefined);
  });
}

async function read(pool: Pool): Promise<Figures> {
  return inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    const { rows: tables } = await client.query<Table>(TABLES);
    const { rows: versions } = await client.query<{ server_version: string }>("SHOW server_version");
    return { readAt: performance.now(), version: versions[0]?.server_version ?? "unknown", tables };
  });
}

/** Shows the figures, and nothing where there are none. */
function show(figures: Figures | undefined): void {
  for (const each of [tableBytes, tableRows, databaseInfo]) each.reset();
  if (figures === undefined) return;
  databaseInfo.set({ version: figures.version }, 1);
  for (const { name: table, bytes, rows } of figures.tables) {
    if (bytes !== null) tableBytes.set({ table }, bytes);
    if (rows !== null) tableRows.set({ table }, rows);
  }
}

/** Work that is under way is shared by all who ask for it, so that a database that hangs is asked once. */
function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

function waitAtMost<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, ms, value).unref());
}
