import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { AccountTurns } from "../account-turns";
import { Authorizer } from "../authorizations/authorizer";
import type { Context } from "../context";
import { database, newAccount, newKey } from "../testing/database";
import { usageRouter } from "./router";

const authorizer = new Authorizer(database, { maxOpenHolds: 1000 });

test("the total of a key is the sum of its days, although a capture comes before each statement", async () => {
  const { account_id: accountId } = await newAccount();
  const { apikey, id } = await newKey(accountId);
  const spend = async () => {
    const asked = { apikey, amount: 1, inputPrice: undefined, outputPrice: undefined, requestId: undefined };
    const { authorizationId } = await authorizer.authorize({ ...asked, ttlSeconds: 600 }, accountId);
    await authorizer.capture(accountId, { id: authorizationId ?? "", amount: 1 });
  };
  const context: Partial<Context> = {
    caller: async () => ({ accountId, mayManage: true, actor: { kind: "rest", name: id, address: null } }),
    accountTurns: new AccountTurns(8),
    read: (work) => work(database),
  };
  const send = Client.prototype.query as (...given: unknown[]) => unknown;
  const query = vi.spyOn(Client.prototype, "query").mockImplementation(function (this: Client, ...given: unknown[]) {
    const [{ text }] = given as [{ text?: unknown }];
    if (!String(text).includes("FROM key_day")) return send.apply(this, given);
    return spend().then(() => send.apply(this, given));
  } as typeof Client.prototype.query);
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const asked = { apikey_id: id, from: dayIn(-2), to: dayIn(2) };
  const { data, total } = await usageRouter.createCaller(context as Context).key(asked);
  query.mockRestore();
  expect(total).toBeGreaterThan(0);
  expect(total).toBe(data.reduce((sum, { spent }) => sum + spent, 0));
});
