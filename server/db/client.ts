import { PrismaPg } from "@prisma/adapter-pg";
import { type ClientBase, Pool, type PoolConfig } from "pg";
import { type Prisma, PrismaClient } from "@/prisma/generated/client";
import { Distribution } from "./distribution";

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
  /** What may stand in one batch. */
  distribution: Distribution;
  close(): Promise<void>;
}

/** A client inside a transaction, or the plain client for a single statement. */
export type Transaction = Prisma.TransactionClient;

const CONNECTIONS = 16;
/** Calls that wait share a statement, so that few connections are enough. */
const LOOK_UP_CONNECTIONS = 8;
const LIST_CONNECTIONS = 4;
const SPEND_CONNECTIONS = 8;
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

/** A distributed database finds the server by the values, so it plans each execution. */
const PLANNING_EACH = "SET plan_cache_mode = force_custom_plan";

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
  const distribution = new Distribution();
  const openPool = (settings: string, options: PoolConfig) => poolOf(url, distribution, settings, options);
  const pool = openPool(PLAIN, { max: CONNECTIONS });
  const lookUpPool = openPool(LOOKING_UP, { max: LOOK_UP_CONNECTIONS });
  const listPool = openPool(LOOKING_UP, { max: LIST_CONNECTIONS });
  const spendPool = openPool(DECIDING, { max: SPEND_CONNECTIONS, pipeline: true });
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
    distribution,
    async close() {
      await prisma.$disconnect();
      await Promise.all([pool, lookUpPool, listPool, spendPool].map((each) => each.end()));
    },
  };
}

/** @param settings of each connection. They are a statement, because poolers refuse the options of a connection. */
function poolOf(url: string, distribution: Distribution, settings: string, options: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    application_name: "allowance",
    onConnect: async (client: ClientBase) => {
      await client.query(settings);
      if (await distribution.learn(client)) await client.query(PLANNING_EACH);
    },
    ...options,
  });
  // The pool drops an idle connection that breaks. Without this listener, the error would end the process.
  pool.on("error", () => {});
  return pool;
}
