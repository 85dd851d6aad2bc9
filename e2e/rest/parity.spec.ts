import { expect, test } from "vitest";
import { collectRoutes } from "@/server/rest/routes";
import { appRouter } from "@/server/router";
import { type Account, type Answer, call, NOWHERE, newAccount, newGroup, newKey, trpc, trpcOutcome } from "./client";

type Input = Record<string, unknown>;

/** Calls one procedure over REST and over tRPC with the same input, each on an account of its own. */
interface Calls {
  rest(account: Account, input: Input): Promise<Answer>;
  trpc(account: Account, input: Input): Promise<unknown>;
}

const ROUTES = new Map(collectRoutes(appRouter).map((route) => [route.procedure, route]));

/** How to call a procedure. Over REST, its parameters stand in the path, in the query, or in the body. */
function callsOf(procedure: string): Calls {
  const route = ROUTES.get(procedure);
  if (!route) throw new Error(procedure);
  const { method, type } = route;
  return {
    rest({ apikey: key }, input) {
      const rest = { ...input };
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = String(rest[name]);
        delete rest[name];
        return encodeURIComponent(value);
      });
      if (method === "GET")
        return call(method, `${path}?${new URLSearchParams(rest as Record<string, string>)}`, { key });
      return call(method, path, { key, body: rest });
    },
    trpc({ apikey }, input) {
      const [noun = "", name = ""] = procedure.split(".");
      // The types do not fit, because inputs are wrong on purpose and the procedure is chosen by name.
      const client = trpc(apikey) as unknown as Record<
        string,
        Record<string, Record<string, (input: Input) => Promise<unknown>>>
      >;
      return client[noun]?.[name]?.[type === "query" ? "query" : "mutate"]?.(input) ?? Promise.reject(procedure);
    },
  };
}

/** Replaces ids, key values and times, which differ from account to account. Everything else must be equal. */
const neutral = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/sk-[0-9A-Za-z]{7,45}/g, "<key>")
      .replace(/"[0-9a-f]{24}"/g, '"<id>"')
      .replace(/"(at|(created|updated)_at)":\d+/g, '"$1":0')
      .replace(/[0-9a-f-]{36}@example\.com/g, "<email>"),
  );

async function callBoth(name: string, arrange: (account: Account) => Promise<Input>) {
  const [first, second] = [await newAccount(), await newAccount()];
  const calls = callsOf(name);
  const rest = await calls.rest(first, await arrange(first));
  const outcome = await trpcOutcome(calls.trpc(second, await arrange(second)));
  expect(neutral(outcome.value)).toEqual(neutral(rest.body));
  expect(outcome.status).toBe(rest.status === 201 ? 200 : rest.status);
  return rest.status;
}

test.each<[string, string, number, Input]>([
  ["keys.create", "all in order", 201, { name: "n", budget: 0.1234567895, expiry_date: "2030-01-01" }],
  ["keys.create", "a numeric string", 400, { name: "n", budget: "100" }],
  ["keys.create", "null", 400, { name: "n", daily_limit: null }],
  ["keys.create", "an unknown parameter", 201, { name: "n", bugdet: 5 }],
  ["keys.create", "several faults", 400, { name: 5, budget: -1, expiry_date: "2030/01/01" }],
  ["keys.create", "no such group", 400, { name: "n", group_id: "0123456789abcdef01234567" }],
  ["keys.createMany", "all in order", 201, { keys: [{ name: "a", budget: 1 }, { name: "b" }] }],
  ["keys.createMany", "a wrong row", 400, { keys: [{ name: "a" }, { name: "", budget: "1" }] }],
  ["keys.setLimits", "no such key", 404, { apikey_id: "sk-0000000", budget: 1 }],
  ["keys.setLimits", "no limit", 400, { apikey_id: "sk-0000000" }],
  ["groups.create", "all in order", 201, { name: "g", description: "d" }],
  ["groups.create", "white space", 400, { name: "  " }],
  ["groups.list", "no groups", 200, {}],
  ["groups.setLimits", "no such group", 400, { group_id: "0123456789abcdef01234567", budget: 1 }],
  ["groups.setLimits", "no ObjectId", 400, { group_id: "nope", budget: 1 }],
  ["keys.list", "all keys", 200, {}],
  ["keys.list", "a filter", 200, { search: "DEF", status: "active", group_id: "none", sort: "name", order: "asc" }],
  ["keys.list", "no such status", 400, { status: "gone" }],
  ["keys.export", "all keys", 200, {}],
  ["keys.get", "no such key", 404, { apikey_id: NOWHERE.apikey_id }],
  ["keys.rename", "no name", 400, { apikey_id: NOWHERE.apikey_id }],
  ["keys.rename", "no such key", 404, { apikey_id: NOWHERE.apikey_id, name: "n" }],
  ["keys.move", "no such group", 400, { apikey_id: NOWHERE.apikey_id, group_id: NOWHERE.group_id }],
  ["keys.move", "a wrong version", 400, { apikey_id: NOWHERE.apikey_id, group_id: null, version: "1" }],
  ["keys.disable", "no such key", 404, { apikey_id: NOWHERE.apikey_id }],
  ["keys.enable", "no such key", 404, { apikey_id: NOWHERE.apikey_id }],
  ["keys.revoke", "no such key", 404, { apikey_id: NOWHERE.apikey_id }],
  ["keys.rotate", "no such key", 404, { apikey_id: NOWHERE.apikey_id }],
  ["keys.rotate", "a grace too long", 400, { apikey_id: NOWHERE.apikey_id, grace_seconds: 604_801 }],
  ["keys.batch", "no such key", 200, { apikey_ids: [NOWHERE.apikey_id], action: "disable" }],
  ["keys.batch", "no such action", 400, { apikey_ids: [NOWHERE.apikey_id], action: "rotate" }],
  ["keys.setLimitsOfMany", "no such key", 200, { apikey_ids: [NOWHERE.apikey_id], budget: 1 }],
  ["keys.setLimitsOfMany", "a dry run", 200, { apikey_ids: [NOWHERE.apikey_id], budget: 1, dry_run: true }],
  ["groups.search", "no groups", 200, { search: "g", sort: "name" }],
  ["groups.search", "no such order", 400, { order: "up" }],
  ["groups.names", "no such groups", 200, { search: "g", group_ids: NOWHERE.group_id }],
  ["groups.names", "no ids", 400, { group_ids: "g" }],
  ["groups.get", "no such group", 404, { group_id: NOWHERE.group_id }],
  ["groups.update", "no such group", 404, { group_id: NOWHERE.group_id, name: "n" }],
  ["groups.update", "nothing to change", 400, { group_id: NOWHERE.group_id }],
  ["groups.delete", "no such group", 404, { group_id: NOWHERE.group_id }],
  ["history.list", "nothing of that kind", 200, { action: "key.created", from: "2026-01-01" }],
  ["history.list", "no day", 400, { from: "yesterday" }],
  ["history.list", "a search", 200, { search: "account:create" }],
  ["history.keys", "no such event", 200, { event_id: NOWHERE.event_id }],
  ["overview.get", "a new account", 200, {}],
  ["overview.refusals", "nothing refused", 200, { from: "2026-01-01", to: "2026-01-31", code: "budget" }],
  ["overview.refusals", "no such reason", 400, { from: "2026-01-01", to: "2026-01-31", code: "mood" }],
  ["savedFilters.list", "none", 200, {}],
  ["savedFilters.create", "all in order", 201, { name: "f", keys: { look: "over_80", sort: "name" } }],
  ["savedFilters.create", "a parameter that the list does not know", 400, { name: "f", keys: { colour: "red" } }],
  ["savedFilters.create", "for no list", 400, { name: "f" }],
  ["savedFilters.rename", "no such filter", 404, { filter_id: NOWHERE.filter_id, name: "f" }],
  ["savedFilters.delete", "no such filter", 404, { filter_id: NOWHERE.filter_id }],
  ["history.revert", "no such event", 404, { event_id: NOWHERE.event_id }],
  ["allowance.get", "a key without limits", 200, {}],
  ["accounts.me", "the account", 200, {}],
  ["accounts.firstSteps", "a new account", 200, {}],
  ["accounts.updateSettings", "all in order", 200, { time_zone: "UTC", language: "zh-CN" }],
  ["accounts.updateSettings", "no zone", 400, { time_zone: "Nowhere/Land" }],
])("%s, %s: %i over REST and tRPC", async (name, _, status, input) => {
  expect(await callBoth(name, async () => input)).toBe(status);
});

test("keys.setLimits on a key: the same over REST and tRPC", async () => {
  const status = await callBoth("keys.setLimits", async (account) => {
    const { id } = await newKey(account, { budget: 5, expiry_date: "2030-01-01" });
    return { apikey_id: id, daily_limit: 1.5 };
  });
  expect(status).toBe(200);
});

test.each([
  ["keys.get", {}],
  ["keys.rename", { name: "another", version: 1 }],
  ["keys.move", { group_id: null }],
  ["keys.disable", {}],
  ["keys.enable", {}],
  ["keys.revoke", {}],
  ["keys.rotate", {}],
])("%s of a key: 200 over REST and tRPC", async (name, input) => {
  const status = await callBoth(name, async (account) => {
    const group_id = await newGroup(account, "g");
    return { apikey_id: (await newKey(account, { group_id })).id, ...input };
  });
  expect(status).toBe(200);
});

test.each([
  ["groups.get", {}],
  ["groups.update", { description: "d" }],
  ["groups.delete", { ungroup_keys: true }],
  ["groups.setLimits", { budget: 2, dry_run: true }],
  ["history.list", {}],
])("%s of a group with keys: 200 over REST and tRPC", async (name, input) => {
  const status = await callBoth(name, async (account) => {
    const group_id = await newGroup(account, "g");
    await newKey(account, { group_id, budget: 1 });
    return { group_id, ...input };
  });
  expect(status).toBe(200);
});

test("groups.setLimits and groups.list on a group with keys: the same over REST and tRPC", async () => {
  const arrange = async (account: Account) => {
    const group_id = await newGroup(account, "g");
    await newKey(account, { group_id });
    return { group_id, budget: 3 };
  };
  expect(await callBoth("groups.setLimits", arrange)).toBe(200);
  expect(await callBoth("groups.list", arrange)).toBe(200);
});

test("401 and 403: the same over REST and tRPC", async () => {
  const account = await newAccount();
  const { apikey } = await newKey(account);
  for (const key of [undefined, "nonsense", apikey]) {
    const rest = await call("GET", "/v1/apikey_groups", key === undefined ? {} : { key });
    expect(await trpcOutcome(trpc(key).groups.list.query())).toEqual({ status: rest.status, value: rest.body });
  }
});

test("a call over REST leaves the shared schema as strict as it was", async () => {
  const account = await newAccount();
  await call("POST", "/v1/apikeys", { key: account.apikey, body: { name: "n", budget: "100" } });
  const outcome = await trpcOutcome(trpc(account.apikey).keys.create.mutate({ name: "n", budget: "100" } as never));
  expect(outcome.status).toBe(400);
});
