import { PrismaPg } from "@prisma/adapter-pg";
import { type ClientBase, Pool, type PoolConfig } from "pg";
import { type Prisma, PrismaClient } from "@/prisma/generated/client";
import { POOL_SIZES } from "./connections";

/** The connections of a process. Each kind has a pool of its own, so that no list or export keeps a look-up waiting. */
export interface Database {
  /** For everything ordinary, on the connections of `pool`. */
  prisma: PrismaClient;
  /** For statements that Prisma's language cannot say: those may read much. */
  pool: Pool;
  /** For prepared statements. They look rows up by their key, and PostgreSQL plans nothing else for them. */
  lookUpPool: Pool;
  /** For prepared statements that read as much as an account has, so that they keep no look-up waiting. */
  listPool: Pool;
  /** For decisions on spend, which are prepared statements too. In pipeline mode. */
  spendPool: Pool;
  close(): Promise<void>;
}

/** A client inside a transaction, or the plain client for a single statement. */
export type Transaction = Prisma.TransactionClient;

/** Prisma's default of 5 s is too short to wait for a change of 100,000 keys. */
const TRANSACTION_TIMEOUT_MS = 60_000;

/** To compile a plan takes longer than a list may take. The embedded PostgreSQL has no compiler. */
const PLAIN = "SET jit = off";
/**
 * PostgreSQL plans a prepared statement once for all its executions. For a table of a few rows it would plan to read the
 * table whole, and would use that plan on while the table grows: so it may only follow indexes row by row. It would also
 * plan a short list of values again each time, because a generic plan expects ten values: so the plan is always generic.
 * See docs/decisions/plans.md.
 */
const LOOKING_UP = `${PLAIN};
  SET plan_cache_mode = force_generic_plan;
  SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off`;

/**
 * A decision locks keys between two round trips. A process that is stopped in between, for example with its virtual machine,
 * must not keep them locked for the other processes: PostgreSQL ends its connection then, and nothing is written.
 */
const DECIDING = `${LOOKING_UP}; SET idle_in_transaction_session_timeout = '10s'`;

/**
 * Opens the pools; no connection is made yet. Waiting for a connection ends after 3 s, so that a request to an unreachable
 * or overloaded database is answered with 503 and does not hang. A statement ends after 30 s.
 */
export function openDatabase(url: string): Database {
  const pool = openPool(url, PLAIN, { max: POOL_SIZES.ordinary });
  const lookUpPool = openPool(url, LOOKING_UP, { max: POOL_SIZES.lookUps });
  const listPool = openPool(url, LOOKING_UP, { max: POOL_SIZES.lists });
  const spendPool = openPool(url, DECIDING, { max: POOL_SIZES.spend, pipeline: true });
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: false }),
    // Otherwise an error quotes the values of a query.
    errorFormat: "minimal",
    transactionOptions: { timeout: TRANSACTION_TIMEOUT_MS },
  });
  return {
    prisma,
    pool,
    lookUpPool,
    listPool,
    spendPool,
    async close() {
      await prisma.$disconnect();
      await Promise.all([pool, lookUpPool, listPool, spendPool].map((each) => each.end()));
    },
  };
}

/** @param settings of each connection. They are a statement, because poolers refuse the options of a connection. */
function openPool(url: string, settings: string, options: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    application_name: "allowance",
    onConnect: (client: ClientBase) => client.query(settings),
    ...options,
  });
  // The pool drops an idle connection that breaks. Without this listener, the error would end the process.
  pool.on("error", () => {});
  return pool;
}
