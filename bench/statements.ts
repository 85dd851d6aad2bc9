import type { AccountId } from "../server/auth/account-id";
import { ValidKeys } from "../server/auth/valid-keys";
import { type Database, openDatabase } from "../server/db/client";
import type { Actor } from "../server/history/actor";
import { newObjectId } from "../server/input/new-object-id";
import { KeyInsertion, type NewKey } from "../server/keys/insertion";
import { hashKeyValue, makeKeyValue } from "../server/keys/key-value";
import { limitsOf } from "../server/limits/apply";
import { median } from "./median";
import type { Part } from "./part";
import { sized } from "./quick";
import { createAccount, type Servers, withServers } from "./servers";
import { count, table } from "./table";

/** One operation of the hot path, by a named prepared statement (as in the product) and by Prisma. */
interface StatementMeasurement {
  title: string;
  prepared: Speed;
  prisma: Speed;
}

/** Operations per second, and the processor time of this process for one of them. */
interface Speed {
  perSecond: number;
  /** Microseconds. */
  cpu: number;
}

const ACTOR: Actor = { kind: "rest", name: "bp-0000000", address: null };
const CONCURRENCY = 32;
const ROUNDS = 3;
const ROUND_MS = sized(3_000, 300);
const WARM_UP_MS = sized(1_000, 300);

interface Figures {
  operations: StatementMeasurement[];
}

/** Two prepared statements (`auth/statements/find-callers.ts`, `keys/statements/insert-keys.ts`) beside Prisma. */
export const statements: Part<Figures> = {
  name: "statements",
  measure: (folder) => withServers(folder, measure),
  report: ({ operations }) => `## Prepared statements

Operations of the hot path by the product's prepared statements, and as Prisma would do them: ${CONCURRENCY} at a time, in
one process. Processor time is that of Node.js, without PostgreSQL's.

${table(
  ["operation", "by", "operations/s", "processor µs each"],
  operations.flatMap(({ title, prepared, prisma }) => [
    [title, "prepared statement", count(prepared.perSecond), prepared.cpu.toFixed(0)],
    ["", "Prisma", count(prisma.perSecond), prisma.cpu.toFixed(0)],
  ]),
)}`,
  targets: () => [],
};

async function measure(servers: Servers): Promise<Figures> {
  const hash = hashKeyValue(await createAccount(servers, "owner@example.com"));
  const db = openDatabase(servers.databaseUrl);
  try {
    const validKeys = new ValidKeys(db);
    const keyInsertion = new KeyInsertion(db);
    const accountId = (await validKeys.find(hash))?.accountId as AccountId;
    const operations = [
      await compare(
        "recognise a caller",
        () => requireFound(validKeys.find(hash)),
        () => requireFound(findCallerByPrisma(db, hash)),
      ),
      await compare(
        "insert a key",
        () => keyInsertion.insert(accountId, ACTOR, newKey()),
        () => insertKeyByPrisma(db, accountId, newKey()),
      ),
    ];
    return { operations };
  } finally {
    await db.close();
  }
}

type Operation = () => Promise<unknown>;

async function compare(title: string, prepared: Operation, prisma: Operation): Promise<StatementMeasurement> {
  const speeds: { prepared: Speed[]; prisma: Speed[] } = { prepared: [], prisma: [] };
  await repeat(prepared, WARM_UP_MS);
  await repeat(prisma, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round++) {
    speeds.prepared.push(await repeat(prepared, ROUND_MS));
    speeds.prisma.push(await repeat(prisma, ROUND_MS));
  }
  return { title, prepared: middle(speeds.prepared), prisma: middle(speeds.prisma) };
}

async function repeat(operation: Operation, milliseconds: number): Promise<Speed> {
  const begun = performance.now();
  const cpuBegun = process.cpuUsage();
  let count = 0;
  const worker = async () => {
    while (performance.now() - begun < milliseconds) {
      await operation();
      count++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const { user, system } = process.cpuUsage(cpuBegun);
  return { perSecond: (count * 1000) / (performance.now() - begun), cpu: (user + system) / count };
}

function middle(speeds: Speed[]): Speed {
  return { perSecond: median(speeds.map(({ perSecond }) => perSecond)), cpu: median(speeds.map(({ cpu }) => cpu)) };
}

function newKey(): NewKey {
  const { id, value } = makeKeyValue("bp-");
  const limits = limitsOf({ budget: 100, daily_limit: 10 });
  return { id, hash: hashKeyValue(value), name: "bench", groupId: null, limits };
}

/** `ValidKeys` with Prisma. Prisma cannot compute the day in the account's zone, so this function does. */
async function findCallerByPrisma(db: Database, hash: Buffer): Promise<string | undefined> {
  const route = await db.prisma.keyRoute.findUnique({
    where: { hash: new Uint8Array(hash) },
    select: { accountId: true, keyId: true },
  });
  if (!route) return undefined;
  const key = await db.prisma.apiKey.findUnique({
    where: { accountId_id: { accountId: route.accountId, id: route.keyId }, valueHash: new Uint8Array(hash) },
    select: {
      isDefault: true,
      disabledAt: true,
      revokedAt: true,
      expiryDate: true,
      account: { select: { timeZone: true } },
    },
  });
  if (!key || key.disabledAt || key.revokedAt) return undefined;
  const { expiryDate, account } = key;
  if (expiryDate) {
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone: account.timeZone }).format(new Date());
    if (expiryDate.toISOString().slice(0, 10) < today) return undefined;
  }
  return route.accountId;
}

/** `KeyInsertion` with Prisma: writes in one transaction. */
async function insertKeyByPrisma(
  db: Database,
  accountId: AccountId,
  { id, hash, name, groupId, limits }: NewKey,
): Promise<void> {
  const eventId = newObjectId();
  await db.prisma.$transaction([
    db.prisma.apiKey.create({
      data: {
        accountId,
        id,
        name,
        groupId,
        valueHash: new Uint8Array(hash),
        budget: limits.budget,
        dailyLimit: limits.daily_limit,
        monthlyLimit: limits.monthly_limit,
        inputPriceLimit: limits.input_price_limit,
        outputPriceLimit: limits.output_price_limit,
      },
      select: { id: true },
    }),
    db.prisma.keyRoute.create({
      data: { hash: new Uint8Array(hash), accountId, keyId: id },
      select: { keyId: true },
    }),
    db.prisma.event.create({
      data: { accountId, id: eventId, actor: ACTOR.kind, actorName: ACTOR.name, action: "key.created", keyCount: 1 },
      select: { id: true },
    }),
    db.prisma.eventKey.create({
      data: { accountId, eventId, keyId: id, keyName: name, before: {} },
      select: { keyId: true },
    }),
  ]);
}

async function requireFound(found: Promise<unknown>): Promise<void> {
  if ((await found) === undefined) throw new Error("the caller was not found");
}
