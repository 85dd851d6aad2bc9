import { randomUUID } from "node:crypto";
import { createAccount } from "../server/auth/accounts";
import { ValidKeys } from "../server/auth/valid-keys";
import { Authorizer } from "../server/authorizations/authorizer";
import { type Database, openDatabase } from "../server/db/client";
import { KeyInsertion } from "../server/keys/insertion";
import { hashKeyValue, makeKeyValue } from "../server/keys/key-value";
import { limitsOf } from "../server/limits/apply";
import { median } from "./median";
import type { Part } from "./part";
import { sized } from "./quick";
import { withServers } from "./servers";
import { count, table } from "./table";

const ROUNDS = 5;
const ROUND_MS = sized(3_000, 500);
const CONCURRENCY = 32;
const KEYS = 32;
const by = { kind: "command_line", name: "bench", address: null } as const;

interface Figures {
  operations: { title: string; plain: number; distributed: number }[];
}

/** The hot path on one PostgreSQL, and on the Citus cluster whose coordinator `CITUS_URL` names, in turns. */
export const distributed: Part<Figures> = {
  name: "distributed",
  isOnRequest: true,
  measure: (folder) => withServers(folder, ({ databaseUrl }) => measure(databaseUrl)),
  report: ({ operations }) => `## Distributed by account

The hot path of one process, ${CONCURRENCY} at a time on ${KEYS} keys of one account: on one PostgreSQL, and on a Citus
cluster on the same machine. Operations per second, the median of ${ROUNDS} rounds in turns.

${table(
  ["operation", "one PostgreSQL", "Citus"],
  operations.map(({ title, plain, distributed: spread }) => [title, count(plain), count(spread)]),
)}`,
  targets: () => [],
};

async function measure(plainUrl: string): Promise<Figures> {
  const { CITUS_URL } = process.env;
  if (!CITUS_URL) throw new Error("CITUS_URL must name a database on a Citus coordinator that was distributed");
  const sides = await Promise.all([plainUrl, CITUS_URL].map(openSide));
  const operations: Figures["operations"] = [];
  for (const title of Object.keys(sides[0]?.operations ?? {}) as (keyof Side["operations"])[]) {
    const rates = sides.map(() => [] as number[]);
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [i, side] of sides.entries()) {
        const rate = await ratePerSecond(side.operations[title]);
        // The first round warms up.
        if (round > 0) rates[i]?.push(rate);
      }
    }
    operations.push({ title, plain: median(rates[0] ?? []), distributed: median(rates[1] ?? []) });
  }
  await Promise.all(sides.map(({ db }) => db.close()));
  return { operations };
}

type Side = Awaited<ReturnType<typeof openSide>>;

/** An account with keys in a database, and what is done with them. */
async function openSide(url: string) {
  const db = openDatabase(url);
  const account = await createAccount(db, {
    email: `${randomUUID()}@example.com`,
    isProven: true,
    keyPrefix: "sk-",
    by,
  });
  const insertion = new KeyInsertion(db);
  const validKeys = new ValidKeys(db);
  const authorizer = new Authorizer(db, { maxOpenHolds: 1000 });
  const insertKey = async () => {
    const { id, value } = makeKeyValue("sk-");
    const key = { id, hash: hashKeyValue(value), name: "bench", groupId: null, limits: limitsOf({ budget: 1e12 }) };
    const inserted = await insertion.insert(account.account_id, by, key);
    if (!inserted.ok) throw new Error("not inserted");
    return value;
  };
  const keys = await Promise.all(Array.from({ length: KEYS }, insertKey));
  let next = 0;
  return {
    db: db as Database,
    operations: {
      "authorize and capture": async () => {
        const call = {
          amount: 2.5,
          inputPrice: undefined,
          outputPrice: undefined,
          requestId: undefined,
          ttlSeconds: 600,
        };
        const apikey = keys[next++ % KEYS] ?? "";
        const held = await authorizer.authorize({ ...call, apikey }, { name: "bench", accountIds: undefined });
        if (!held.key || held.authorizationId === null) throw new Error(`not granted: ${held.verdict}`);
        const settled = await authorizer.capture(held.key.accountId, { id: held.authorizationId, amount: 2.1 });
        if (!settled.ok) throw new Error("not captured");
      },
      "recognise a caller": async () => {
        if (!(await validKeys.find(hashKeyValue(keys[next++ % KEYS] ?? "")))) throw new Error("not recognised");
      },
      "create a key": async () => {
        await insertKey();
      },
    },
  };
}

async function ratePerSecond(operation: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  let done = 0;
  const worker = async () => {
    for (; performance.now() - begun < ROUND_MS; done++) await operation();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return (done * 1000) / (performance.now() - begun);
}
