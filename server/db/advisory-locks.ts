// Every advisory lock of PostgreSQL that this product takes. PostgreSQL releases a lock when its transaction or its connection
// ends, so no lock outlives its process. A number never changes: during an upgrade, processes of two versions take the same locks.

/** Locks that are named by one number. */
export const LOCKS = {
  /** That of the commands of Prisma while they migrate. Our migrations take it too. */
  migrations: 72_707_369,
  /** The one server of an embedded PostgreSQL. */
  server: 7_260_001,
  /** Shared by each process that uses the embedded PostgreSQL. Whoever gets it alone is the last one. */
  users: 7_260_002,
  /** The process that adds up spend for usage, so that two do not count the same. */
  rollUp: 7_260_003,
  /** Two processes that start at once do not make the same role of the database. */
  roles: 7_260_004,
  /** Two processes that start at once do not change the same privilege. */
  privileges: 7_260_005,
  /** Servers that start at once make one token for the set-up link. */
  setUp: 7_260_006,
  /** One process at a time analyses tables. */
  statistics: 7_260_007,
  /** Making and dropping partitions of the ledger. */
  ledger: 5_274_101,
} as const;

/**
 * Locks that are named by two numbers: one of these, and the hash of what is locked. PostgreSQL keeps them apart from locks of one
 * number, so a number may stand in both lists.
 */
export const HASHED_LOCKS = {
  /** Of an account: the changes of its keys. See `server/keys/change-order-queries.ts`. */
  keyChanges: 7_260_003,
  /** Of an event: the request whose change it records, so that the same request is not made twice at once. */
  namedRequest: 7_260_004,
  /** Of an account: its saved filters, which are counted one after the other. */
  savedFilters: 7_260_014,
  /** Of a random number: two connections that look whether they lead to one database. */
  oneDatabase: 7_260_015,
} as const;
