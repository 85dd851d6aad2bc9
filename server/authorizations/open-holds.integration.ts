import { Client } from "pg";
import { expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import { migrate } from "../db/migrate";
import { database, newAccount, newKey } from "../testing/database";
import { makeFakeClock } from "../testing/fake-clock";
import { openOlderDatabase } from "../testing/older-database";
import { auditBooks } from "./audit-queries";
import { type Answer, Authorizer } from "./authorizer";
import { releaseExpired } from "./statements/release-expired";

// The counter of open holds came later than the holds themselves.

const MIGRATION = "20261121210000_open_holds";

test("the migration counts the holds that are open, of each key", async () => {
  const { url, remove } = await openOlderDatabase((each) => each < MIGRATION);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      INSERT INTO account (id, email) VALUES ('0123456789abcdef01234567', 'a@example.com');
      INSERT INTO api_key (account_id, id, name, is_default, held, day_held, month_held, day, month, held_until)
        SELECT '0123456789abcdef01234567', 'sk-000000' || n, 'n', n = 1, n, n, n, '2026-11-21', '2026-11-01', now()
        FROM generate_series(1, 3) AS n;
      UPDATE api_key SET held = 0, day_held = 0, month_held = 0 WHERE id = 'sk-0000003';
      INSERT INTO "authorization" (account_id, id, key_id, amount, day, month, expires_at, state, settled_at)
        SELECT '0123456789abcdef01234567', lpad(to_hex(key * 100 + n), 24, '0'), 'sk-000000' || key, 1, '2026-11-21',
          '2026-11-01', now(), CASE WHEN n <= key AND key < 3 THEN 'held' ELSE 'voided' END,
          CASE WHEN n <= key AND key < 3 THEN NULL ELSE now() END
        FROM generate_series(1, 3) AS key, generate_series(1, 4) AS n`);
    await migrate(url);
    const { rows } = await client.query("SELECT id, open_holds FROM api_key ORDER BY id");
    expect(rows.map(({ open_holds }) => open_holds)).toEqual([1, 2, 0]);
    expect((await auditBooks(client, 400)).differences).toEqual([]);
  } finally {
    await client.end();
    await remove();
  }
});

test("what a process of an older version did not count is counted at the next release, and stops no capture", async () => {
  const accountId: AccountId = (await newAccount()).account_id;
  const authorizer = new Authorizer(database, { maxOpenHolds: 3 });
  const key = await newKey(accountId);
  const authorize = (): Promise<Answer> =>
    authorizer.authorize(
      {
        ...{ apikey: key.apikey, amount: 1, requestId: undefined, ttlSeconds: 600 },
        ...{ inputPrice: undefined, outputPrice: undefined },
      },
      accountId,
    );
  const set = (text: string) =>
    database.pool.query(`UPDATE api_key SET ${text} WHERE account_id = $1 AND id = $2`, [accountId, key.id]);
  const counted = async () => (await database.prisma.apiKey.findFirst({ where: { accountId, id: key.id } }))?.openHolds;

  // The older one granted two holds.
  const [first, second] = [await authorize(), await authorize()];
  await set("open_holds = 0");
  const settlement = await authorizer.capture(accountId, { id: first.authorizationId ?? "", amount: 1 });
  expect([settlement.ok, await counted()]).toEqual([true, 0]);
  // The older one captured three holds.
  await set("open_holds = 3");
  expect((await authorize()).verdict).toBe("open_holds");
  await set("held_until = now()");
  expect((await authorize()).verdict).toBe("granted");
  expect(await counted()).toBe(2);
  expect((await authorizer.void(accountId, second.authorizationId ?? "")).ok).toBe(true);
  expect(await counted()).toBe(1);
});

test.each(["the next hold", "the upkeep"])(
  "%s releases very many in parts, so that none takes too long",
  async (by) => {
    const accountId: AccountId = (await newAccount()).account_id;
    const { apikey, id } = await newKey(accountId, { budget: 100 });
    await database.pool.query(
      `WITH granted AS (
        INSERT INTO "authorization" (account_id, id, key_id, amount, day, month, expires_at)
        SELECT $1, lpad(to_hex(n), 24, '0'), $2, 0.004, '2026-11-21', '2026-11-01', now() - make_interval(secs => n)
        FROM generate_series(1, 25000) AS n
        RETURNING amount, expires_at
      )
      UPDATE api_key SET (held, day_held, month_held, open_holds, held_until, day, month) = (
        SELECT sum(amount), sum(amount), sum(amount), count(*), min(expires_at), '2026-11-21'::date, '2026-11-01'::date
        FROM granted
      ) WHERE account_id = $1 AND id = $2`,
      [accountId, id],
    );
    if (by === "the upkeep") expect(await releaseExpired(database.lookUpPool, { accountId, keyId: id })).toBe(true);
    const asked = { apikey, amount: 100, inputPrice: undefined, outputPrice: undefined, requestId: undefined };
    const authorizer = new Authorizer(database, { maxOpenHolds: 1 });
    expect(await authorizer.authorize({ ...asked, ttlSeconds: 600 }, accountId)).toMatchObject({ verdict: "granted" });
    const { rows } = await database.pool.query<{ state: string; count: number }>(
      `SELECT state, count(*)::int AS count FROM "authorization" WHERE account_id = $1 GROUP BY state, xmin::text
      ORDER BY count DESC`,
      [accountId],
    );
    expect(rows.map(({ state, count }) => `${count} ${state}`)).toEqual([
      ...["10000 expired", "10000 expired", "5000 expired"],
      "1 held",
    ]);
    const client = await database.pool.connect();
    const { differences } = await auditBooks(client, 400);
    client.release();
    expect(differences.filter(({ account_id }) => account_id === accountId)).toEqual([]);
  },
);

test("a repeated request answers the same end of its hold, also in the last half millisecond of a second", async () => {
  const clock = await makeFakeClock(database);
  const db = clock.open();
  try {
    await clock.set("2026-11-26 12:00:00.9997Z");
    const accountId: AccountId = (await newAccount()).account_id;
    const key = await newKey(accountId);
    const call = { apikey: key.apikey, amount: 1, requestId: "one", ttlSeconds: 600 };
    const ends = () =>
      new Authorizer(db, { maxOpenHolds: 3 }).authorize(
        { ...call, inputPrice: undefined, outputPrice: undefined },
        accountId,
      );
    const first = await ends();
    expect([first.verdict, first.expiresAt]).toEqual(["granted", Date.parse("2026-11-26T12:10:00Z") / 1000]);
    expect(await ends()).toMatchObject({ verdict: "replayed", expiresAt: first.expiresAt });
  } finally {
    await db.close();
  }
});
