import { expect, inject, test, vi } from "vitest";
import { Authorizer } from "../authorizations/authorizer";
import { withClient } from "../db/with-client";
import { database, newAccount, newKey } from "../testing/database";
import { countWaiting } from "../testing/waiting";
import { deleteMarked, markDeleted } from "./account-deletion";
import { namedAccount } from "./account-state";

test("what a gateway captures while an account is deleted goes with it", async () => {
  const { account_id: accountId, apikey } = await newAccount();
  const authorizer = new Authorizer(database, { maxOpenHolds: 1 });
  const asked = { apikey, amount: 1, inputPrice: undefined, outputPrice: undefined, requestId: undefined };
  const { authorizationId } = await authorizer.authorize({ ...asked, ttlSeconds: 60 }, accountId);
  const capture = () => authorizer.capture(accountId, { id: authorizationId ?? "", amount: 1 });
  const account = await namedAccount(database, accountId);
  await markDeleted(database, account, true);

  const captures: boolean[] = [];
  const deleted = await withClient(inject("databaseUrl"), "allowance delete", (client) => {
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => unknown;
    vi.spyOn(client, "query").mockImplementation((async (text: string, values?: unknown[]) => {
      if (text.startsWith("DELETE FROM api_key ")) captures.push((await capture()).ok);
      return query(text, values);
    }) as never);
    return deleteMarked(database, client, account, () => {});
  });
  expect(captures).toEqual([true, false]);
  expect(deleted).toMatchObject({ account: 1, authorization: 1, ledger: 1, key_day: 1 });
});

test("an authorization that is granted while the account is being marked is not discarded", async () => {
  const { account_id: accountId, apikey } = await newAccount();
  const authorizer = new Authorizer(database, { maxOpenHolds: 1 });
  const asked = { apikey, amount: 1, inputPrice: undefined, outputPrice: undefined, requestId: "a", ttlSeconds: 60 };
  const account = await namedAccount(database, accountId);

  const [authorized, marked] = await withClient(inject("databaseUrl"), "test", async (holder) => {
    // A decision on the same request waits for this row. By then it has read the account.
    await holder.query("BEGIN");
    await holder.query(
      `INSERT INTO "authorization" (account_id, id, key_id, request_id, amount, day, month, expires_at)
        VALUES ($1, repeat('0', 24), $2, 'a', 1, now(), now(), now())`,
      [accountId, apikey.slice(0, 10)],
    );
    const authorizing = authorizer.authorize(asked, accountId);
    const waiting = () => countWaiting(database.pool, holder);
    await expect.poll(waiting, { interval: 5 }).toBe(1);
    const outcome = vi.fn((result: string) => result);
    const marking = markDeleted(database, account, false).then(
      () => outcome("marked"),
      (error: Error) => outcome(error.message),
    );
    await expect.poll(async () => (await waiting()) + outcome.mock.calls.length, { interval: 5 }).toBe(2);
    await holder.query("ROLLBACK");
    return [await authorizing, await marking];
  });
  expect(authorized.verdict).toBe("granted");
  expect(marked).toMatch(/^1 authorization of .* is held; .* Nothing was changed$/);
  expect(await namedAccount(database, accountId)).toEqual(account);
});

test("a key that is being changed while it is deleted goes too, before its group", async () => {
  const { account_id: accountId } = await newAccount();
  await database.pool.query(
    `WITH made AS (INSERT INTO api_key_group (account_id, id, name) VALUES ($1, repeat('1', 24), 'a') RETURNING id)
      UPDATE api_key SET is_default = false, group_id = made.id FROM made WHERE account_id = $1`,
    [accountId],
  );
  const account = await namedAccount(database, accountId);
  await markDeleted(database, account, false);

  const url = inject("databaseUrl");
  const deleted = await withClient(url, "test", async (holder) => {
    await holder.query("BEGIN");
    await holder.query("UPDATE api_key SET spent = spent WHERE account_id = $1", [accountId]);
    const deleting = withClient(url, "allowance delete", (client) => deleteMarked(database, client, account, () => {}));
    await expect.poll(() => countWaiting(database.pool, holder), { interval: 5 }).toBe(1);
    await holder.query("COMMIT");
    return deleting;
  });
  expect(deleted).toMatchObject({ account: 1, api_key: 1, api_key_group: 1 });
});

test("an authorization of a key that is created while the account is being marked is not discarded", async () => {
  const { account_id: accountId } = await newAccount();
  const account = await namedAccount(database, accountId);
  const outcome = await withClient(inject("databaseUrl"), "test", async (holder) => {
    // The mark waits for the lock of a key, and has read which keys there are.
    await holder.query("BEGIN");
    await holder.query("SELECT FROM api_key WHERE account_id = $1 FOR UPDATE", [accountId]);
    const marking = markDeleted(database, account, false).catch((error: Error) => error.message);
    await expect.poll(() => countWaiting(database.pool, holder), { interval: 5 }).toBe(1);
    const created = await newKey(accountId);
    await withClient(inject("databaseUrl"), "test", async (deciding) => {
      await deciding.query("BEGIN");
      await deciding.query("SELECT FROM api_key WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE", [
        accountId,
        created.id,
      ]);
      await deciding.query(
        `INSERT INTO "authorization" (account_id, id, key_id, request_id, amount, day, month, expires_at)
          VALUES ($1, repeat('0', 24), $2, 'a', 1, now(), now(), now() + interval '1 hour')`,
        [accountId, created.id],
      );
      await holder.query("COMMIT");
      await expect.poll(() => countWaiting(database.pool, deciding), { interval: 5 }).toBe(1);
      await deciding.query("COMMIT");
    });
    return marking;
  });
  expect(outcome).toMatch(/^1 authorization of .* is held/);
});
