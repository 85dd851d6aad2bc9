import type { Client } from "pg";
import { type ActivityRange, listActivity } from "../server/authorizations/activity/queries";
import { Authorizer } from "../server/authorizations/authorizer";
import { type Database, openDatabase } from "../server/db/client";
import { median } from "./median";
import { atMost, type Part } from "./part";
import { readProcessTime } from "./process-time";
import { sized } from "./quick";
import { findAccountId, makeKeyValues, seedKeys } from "./seed";
import { createAccount, type Servers, withServers } from "./servers";
import { count, table } from "./table";

const KEYS = 200;
const AUTHORIZATIONS = sized(1_000_000, 20_000);
/** How many authorizations one statement inserts. */
const CHUNK = 20_000;
const DAYS = 14;
const PAGE_SIZE = 50;
const LONGEST_LIST_MS = 200;
/** Calls in a round, and how many are under way at once. */
const CALLS = sized(20_000, 2_000);
const CONCURRENCY = 128;
const ROUNDS = 5;
const INDEX = `CREATE INDEX "authorization_settled_idx" ON "authorization"("key_id", "state", "id") WHERE "state" <> 'held'`;

interface Figures {
  /** Processor time of PostgreSQL in microseconds, and bytes of its log, for one of each. */
  costs: { title: string; microseconds: number; bytes: number }[];
  lists: { title: string; milliseconds: number }[];
}

/** What the activity of a key costs: the calls that write it, and its lists in an account with many authorizations. */
export const activity: Part<Figures> = {
  name: "activity",
  isOnRequest: true,
  measure: (folder) => withServers(folder, measure),
  report: ({ costs, lists }) => `## Activity of a key

Processor time and log of PostgreSQL, through the product's \`Authorizer\` without HTTP, the median of ${ROUNDS} rounds in turns.

${table(
  ["call", "µs", "bytes of log"],
  costs.map(({ title, microseconds, bytes }) => [title, microseconds.toFixed(1), count(bytes)]),
)}

The first ${PAGE_SIZE} calls of a key, in an account with ${count(AUTHORIZATIONS)} authorizations in ${DAYS} days, half of them on one key:

${table(
  ["list", "ms"],
  lists.map(({ title, milliseconds }) => [title, milliseconds.toFixed(1)]),
)}`,
  targets: ({ lists }) =>
    lists.map(({ title, milliseconds }) => atMost(`activity: ${title}`, milliseconds, LONGEST_LIST_MS, "ms")),
};

async function measure(servers: Servers): Promise<Figures> {
  const { client, databaseUrl } = servers;
  const accountId = await findAccountId(client, await createAccount(servers, "active@example.com"));
  const keys = makeKeyValues(KEYS);
  await seedKeys(client, accountId, keys, KEYS);
  // The first key is for refusals, and the last one never used.
  await client.query("UPDATE api_key SET budget = 1 WHERE account_id = $1 AND id = $2", [accountId, keys[0]?.id]);
  const db = openDatabase(databaseUrl);
  const costs = await measureCosts(client, db, keys.slice(0, -1));
  await insertAuthorizations(client, accountId, keys.slice(1, -1));
  const lists: Figures["lists"] = [];
  const all: ActivityRange = { kind: undefined, after: undefined, days: DAYS, pageSize: PAGE_SIZE };
  for (const [title, key, range] of [
    ["the busiest key", keys[1], all],
    ["the busiest key, of a kind that it has none of", keys[1], { ...all, kind: "voided" as const }],
    ["one of the others", keys[2], all],
    ["the key with refusals", keys[0], all],
    ["a key without activity", keys.at(-1), all],
  ] as const) {
    const times: number[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const begun = performance.now();
      await listActivity(db, accountId as Parameters<typeof listActivity>[1], key?.id ?? "", range);
      times.push(performance.now() - begun);
    }
    lists.push({ title, milliseconds: median(times) });
  }
  await db.close();
  return { costs, lists };
}

async function measureCosts(
  client: Client,
  db: Database,
  [refused, ...spenders]: { value: string }[],
): Promise<Figures["costs"]> {
  const authorizer = new Authorizer(db, { maxOpenHolds: 1000 });
  const gateway = { name: "bench", accountIds: undefined };
  const prices = { inputPrice: undefined, outputPrice: undefined, requestId: undefined, ttlSeconds: 600 };
  const capture = async (i: number) => {
    const apikey = spenders[i % spenders.length]?.value ?? "";
    const { key, authorizationId } = await authorizer.authorize({ apikey, amount: 0.001, ...prices }, gateway);
    if (!key || authorizationId === null) throw new Error("not granted");
    await authorizer.capture(key.accountId, { id: authorizationId, amount: 0.001 });
  };
  const refuse = async () => {
    const { verdict } = await authorizer.authorize({ apikey: refused?.value ?? "", amount: 5, ...prices }, gateway);
    if (verdict !== "budget") throw new Error(`not refused: ${verdict}`);
  };
  const cases = [
    { title: "authorize and capture", work: capture, before: INDEX, after: "DROP INDEX authorization_settled_idx" },
    { title: "the same without the index of activity", work: capture },
    { title: "a refusal, each listed", work: refuse, before: "DELETE FROM refusal_day", isReset: true },
    { title: "a refusal in a flood of them", work: refuse },
  ];
  await client.query("DROP INDEX authorization_settled_idx");
  await Promise.all([many(CONCURRENCY, capture), many(CONCURRENCY, refuse)]);
  const found = cases.map(({ title }) => ({ title, microseconds: [] as number[], bytes: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, { work, before, after, isReset }] of cases.entries()) {
      if (before) await client.query(before);
      // Only the first thousand of a day are listed one by one.
      const { microseconds, bytes } = await costOf(client, isReset ? 1000 : CALLS, work);
      found[i]?.microseconds.push(microseconds);
      found[i]?.bytes.push(bytes);
      if (after) await client.query(after);
    }
  }
  await client.query(INDEX);
  return found.map(({ title, microseconds, bytes }) => {
    return { title, microseconds: median(microseconds), bytes: median(bytes) };
  });
}

async function many(calls: number, work: (i: number) => Promise<void>): Promise<void> {
  let left = calls;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left > 0) await work(left--);
    }),
  );
}

/** What PostgreSQL spends on one call, in processor time and log. */
async function costOf(client: Client, calls: number, work: (i: number) => Promise<void>) {
  const { rows } = await client.query<{ pid: number }>("SELECT pid FROM pg_stat_activity WHERE pid IS NOT NULL");
  const time = async () => {
    const times = await Promise.all(rows.map(({ pid }) => readProcessTime(pid)));
    return times.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  };
  const log = async () =>
    (await client.query<{ bytes: number }>("SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes")).rows[0]
      ?.bytes ?? 0;
  const [spent, written] = [await time(), await log()];
  await many(calls, work);
  return { microseconds: ((await time()) - spent) / calls, bytes: ((await log()) - written) / calls };
}

/** Captures of the last days, as the API would write them. Half of them are on the first key. */
async function insertAuthorizations(client: Client, accountId: string, keys: readonly { id: string }[]): Promise<void> {
  for (let from = 1; from <= AUTHORIZATIONS; from += CHUNK) {
    await client.query(
      `INSERT INTO "authorization" (account_id, id, key_id, amount, day, month, expires_at, state, captured, settled_at)
        SELECT $1, to_hex((extract(epoch FROM now()) - $5::int * 86400 * (1 - n / $4::float8))::bigint)
            || lpad(to_hex(n), 16, '0'),
          ($2::text[])[CASE WHEN n % 2 = 0 THEN 1 ELSE 2 + n % (cardinality($2::text[]) - 1) END],
          1, current_date, date_trunc('month', now())::date, now(), 'captured', 1, now()
        FROM generate_series($3::int, $3 + ${CHUNK} - 1) AS n`,
      [accountId, keys.map(({ id }) => id), from, AUTHORIZATIONS, DAYS],
    );
  }
}
