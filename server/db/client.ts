import { PrismaPg } from "@prisma/adapter-pg";
import { Pool, type PoolConfig } from "pg";
import { type Prisma, PrismaClient } from "@/prisma/generated/client";

/** One pool of connections, reached through Prisma, and directly for the few statements where speed was measured. */
export interface Database {
  prisma: PrismaClient;
  pool: Pool;
  /** Connections of their own for decisions on spend, so that no list or export keeps these waiting. In pipeline mode. */
  spendPool: Pool;
  close(): Promise<void>;
}

/** A client inside a transaction, or the plain client for a single statement. */
export type Transaction = Prisma.TransactionClient;

const POOL_SIZE = 16;
const SPEND_POOL_SIZE = 8;
/** Prisma's default of 5 s is too short to wait for a change of 100,000 keys. */
const TRANSACTION_TIMEOUT_MS = 60_000;

/**
 * Opens the pools; no connection is made yet. Waiting for a connection ends after 3 s, so that a request to an unreachable
 * or overloaded database is answered with 503 and does not hang. A statement ends after 30 s.
 */
export function openDatabase(url: string): Database {
  const pool = openPool(url, { max: POOL_SIZE });
  const spendPool = openPool(url, { max: SPEND_POOL_SIZE, pipeline: true });
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: false }),
    transactionOptions: { timeout: TRANSACTION_TIMEOUT_MS },
  });
  return {
    prisma,
    pool,
    spendPool,
    async close() {
      await prisma.$disconnect();
      await Promise.all([pool.end(), spendPool.end()]);
    },
  };
}

function openPool(url: string, options: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    application_name: "allowance",
    ...options,
  });
  // The pool drops an idle connection that breaks. Without this listener, the error would end the process.
  pool.on("error", () => {});
  return pool;
}
