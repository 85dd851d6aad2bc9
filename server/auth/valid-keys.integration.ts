import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { openDatabase } from "../db/client";
import type { Pipeline } from "../db/pipeline";
import { hashKeyValue } from "../keys/key-value";
import { database, newAccount, newKey } from "../testing/database";
import type { AccountId } from "./account-id";
import { KeyOwners } from "./key-owner";
import { ValidKeys } from "./valid-keys";

const asking = openDatabase(inject("databaseUrl"));
const validKeys = new ValidKeys(asking);
afterAll(() => asking.close());

let accountId: AccountId;
beforeAll(async () => {
  accountId = (await newAccount()).account_id;
});

async function newHash(set?: string): Promise<{ id: string; hash: Buffer }> {
  const { id, apikey } = await newKey(accountId);
  if (set !== undefined) await change(id, set);
  return { id, hash: hashKeyValue(apikey) };
}

/** Puts the value of a key where the values stand that the row of the key has not, with the moment from which it is refused. */
async function moveAway({ id, hash }: { id: string; hash: Buffer }, expiresAt: Date | null): Promise<void> {
  await change(id, "value_hash = NULL");
  await database.prisma.earlierValue.create({ data: { hash: new Uint8Array(hash), accountId, keyId: id, expiresAt } });
}

const change = (id: string, set: string) =>
  database.pool.query(`UPDATE api_key SET ${set} WHERE account_id = $1 AND id = $2`, [accountId, id]);

test("keys that are asked for at once are found by one statement for all, each at its place", async () => {
  const [valid, ofOlderVersion, disabled, revoked, expired, ended, inGrace] = await Promise.all([
    newHash(),
    newHash(),
    newHash("disabled_at = now()"),
    newHash("revoked_at = now()"),
    newHash("expiry_date = '2020-01-01'"),
    newHash(),
    newHash(),
  ]);
  await moveAway(ofOlderVersion, null);
  await moveAway(ended, new Date());
  await moveAway(inGrace, new Date(Date.now() + 3_600_000));
  const unknown = randomBytes(32);
  // Each statement takes a connection.
  const connect = vi.spyOn(asking.lookUpPool, "connect");
  const asked = [
    unknown,
    disabled.hash,
    valid.hash,
    ofOlderVersion.hash,
    revoked.hash,
    valid.hash,
    expired.hash,
    ended.hash,
    inGrace.hash,
  ];
  const found = await Promise.all(asked.map((hash) => validKeys.find(hash)));
  const keyOf = ({ id }: { id: string }) => ({ accountId, keyId: id, isDefault: false, isInGrace: false });
  expect(found).toEqual([
    undefined,
    undefined,
    keyOf(valid),
    keyOf(ofOlderVersion),
    undefined,
    keyOf(valid),
    undefined,
    undefined,
    { ...keyOf(inGrace), isInGrace: true },
  ]);
  // Which keys they are of, and whether they are valid. The first is remembered.
  expect(connect).toHaveBeenCalledTimes(2);
  await Promise.all(asked.slice(1).map((hash) => validKeys.find(hash)));
  expect(connect).toHaveBeenCalledTimes(3);
  connect.mockRestore();

  const owners = new KeyOwners(asking);
  expect(
    await Promise.all([unknown, revoked.hash, ended.hash].map((hash) => owners.find(hash.toString("hex")))),
  ).toEqual([undefined, { accountId, keyId: revoked.id }, { accountId, keyId: ended.id }]);
});

test("who asks after a revocation does not get the answer of a statement that began before it", async () => {
  const { id, hash } = await newHash();
  expect(await validKeys.find(hash)).toBeDefined();
  const client = await asking.lookUpPool.connect();
  const held: (() => void)[] = [];
  const spy = vi.spyOn(asking.lookUpPool, "connect").mockImplementationOnce(async () => {
    const query = (asked: Pipeline, answer: (error?: Error) => void) =>
      Reflect.apply(client.query, client, [asked, (error?: Error) => held.push(() => answer(error))]);
    return { query, release: () => client.release() };
  });
  const before = validKeys.find(hash);
  await expect.poll(() => held).toHaveLength(1);
  await change(id, "revoked_at = now()");
  const after = validKeys.find(hash);
  held[0]?.();
  expect(await before).toMatchObject({ keyId: id });
  expect(await after).toBeUndefined();
  spy.mockRestore();
});

test("under load, each change counts for everyone who asks after it", async () => {
  const ends = ["disabled_at = now()", "revoked_at = now()", "expiry_date = '2020-01-01'"];
  const others = await Promise.all(Array.from({ length: 20 }, () => newHash()));
  let isLoaded = true;
  const load = Array.from({ length: 16 }, async (_, i) => {
    for (let round = i; isLoaded; round++) {
      expect(await validKeys.find((others[round % others.length] as { hash: Buffer }).hash)).toBeDefined();
    }
  });
  try {
    for (let round = 0; round < 60; round++) {
      const { id, hash } = await newHash();
      let isEnded = false;
      // Clients that ask for this key all the time, so that a statement for it is always under way.
      const clients = Array.from({ length: 4 }, async () => {
        for (let seenEnd = false; !seenEnd; ) {
          const askedAfterEnd = isEnded;
          const found = await validKeys.find(hash);
          if (askedAfterEnd) expect(found).toBeUndefined();
          seenEnd = askedAfterEnd;
        }
      });
      expect(await validKeys.find(hash)).toMatchObject({ keyId: id });
      await change(id, ends[round % ends.length] as string);
      isEnded = true;
      expect(await validKeys.find(hash)).toBeUndefined();
      await Promise.all(clients);
    }
  } finally {
    isLoaded = false;
  }
  await Promise.all(load);
});

test("when the database cannot be asked, everyone who waits fails", async () => {
  const away = openDatabase("postgresql://nobody@127.0.0.1:1/none");
  const keys = new ValidKeys(away);
  const asked = await Promise.allSettled(Array.from({ length: 50 }, () => keys.find(randomBytes(32))));
  expect(asked.every(({ status }) => status === "rejected")).toBe(true);
  await away.close();
});
