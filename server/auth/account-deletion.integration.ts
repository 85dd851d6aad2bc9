import { expect, inject, test, vi } from "vitest";
import { Authorizer } from "../authorizations/authorizer";
import { withClient } from "../db/with-client";
import { database, newAccount } from "../testing/database";
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
