import { setFlagsFromString } from "node:v8";
import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "pg";
import { type Prisma, PrismaClient } from "@/prisma/generated/client";
import { COMMON, ConnectionPool, type Settings, type Speech } from "./connection";
import { POOL_SIZES } from "./connections";
import { Distribution } from "./distribution";

/**
 * Prisma compiles each form of a query once, by a program in WebAssembly of 1.7 MB. V8 would compile that program a second time, for
 * speed, when each start has used a little of it. That takes more processor time and memory than all else of a start, and the
 * program is hardly used afterwards. The default budget is 1.8 million in Node.js 20, and 13 in 24. With 100, only a process that goes on compiling queries pays for
 * it. See docs/decisions/start.md.
 */
setFlagsFromString("--wasm-tiering-budget=100000000");

/** The connections of a process. Each kind has a pool of its own, so that no list or export keeps a look-up waiting. */
export interface Database {
  /** For everything ordinary, on the connections of `pool`. */
  prisma: PrismaClient;
  /** For statements that Prisma's language cannot say: those may read much. */
  pool: Pool;
  /** For prepared statements. They look rows up by their key, and PostgreSQL plans nothing else for them. */
  lookUpPool: Pool;
  /**
   * For prepared statements that read as much as an account has, or that each request sends for itself, so that they keep no
   * look-up waiting.
   */
  listPool: Pool;
  /** For decisions on spend, which are prepared statements too. */
  spendPool: Pool;
  /** All of these pools. */
  pools: readonly ConnectionPool[];
  /** Whether statements have names, and whether a pooler shares connections. It may change until the first connection is made. */
  speech: Speech;
  /** What may stand in one batch. */
  distribution: Distribution;
  close(): Promise<void>;
}

/** A client inside a transaction, or the plain client for a single statement. */
export type Transaction = Prisma.TransactionClient;

/**
 * Prisma's defaults are too short: 5 s for a transaction that waits for a change of 100,000 keys, and 2 s until it begins,
 * which would end the wait for a connection (`connectionTimeoutMillis`) early.
 */
const TRANSACTIONS = { timeout: 60_000, maxWait: 10_000 };

/**
 * No statement takes longer than 30 s. To compile a plan takes longer than a list may take; the embedded PostgreSQL has no
 * compiler.
 */
const PLAIN: Settings = { ...COMMON, statement_timeout: "30000", jit: "off" };
/**
 * PostgreSQL plans a prepared statement once for all its executions. For a table of a few rows it would plan to read the
 * table whole, and would use that plan on while the table grows: so it may only follow indexes row by row. It would also
 * plan a short list of values again each time, because a generic plan expects ten values: so the plan is always generic.
 * See docs/decisions/plans.md.
 */
const LOOKING_UP: Settings = {
  ...PLAIN,
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};

/**
 * A decision locks keys between two round trips. A process that is stopped in between, for example with its virtual machine,
 * must not keep them locked for the other processes: PostgreSQL ends its connection then, and nothing is written.
 */
const DECIDING: Settings = { ...LOOKING_UP, idle_in_transaction_session_timeout: "10000" };

/**
 * Opens the pools; no connection is made yet. Waiting for a connection ends after 3 s, so that a request to an unreachable
 * or overloaded database is answered with 503 and does not hang. A statement ends after 30 s.
 * @param usesNames whether prepared statements are named. Otherwise PostgreSQL parses each one every time.
 */
export function openDatabase(url: string, { usesNames = true } = {}): Database {
  // Names are left out for a pooler in transaction mode, which gives each transaction another connection.
  const speech: Speech = { usesNames, isShared: !usesNames };
  const distribution = new Distribution();
  const open = (name: keyof typeof POOL_SIZES, settings: Settings) =>
    new ConnectionPool({
      name,
      speech,
      distribution,
      settings,
      max: POOL_SIZES[name],
      connectionString: url,
      connectionTimeoutMillis: 3_000,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      query_timeout: 35_000,
      application_name: "allowance",
    });
  const pool = open("general", PLAIN);
  const lookUpPool = open("look_up", LOOKING_UP);
  const listPool = open("list", LOOKING_UP);
  const spendPool = open("spend", DECIDING);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: false }),
    // Otherwise an error quotes the values of a query.
    errorFormat: "minimal",
    transactionOptions: TRANSACTIONS,
  });
  const pools = [pool, lookUpPool, listPool, spendPool];
  return {
    prisma,
    pool,
    lookUpPool,
    listPool,
    spendPool,
    pools,
    speech,
    distribution,
    async close() {
      await prisma.$disconnect();
      await Promise.all(pools.map((each) => each.end()));
    },
  };
}
