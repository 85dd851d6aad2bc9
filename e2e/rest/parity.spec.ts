import { expect, test } from "vitest";
import { type Account, type Answer, call, newAccount, newGroup, newKey, trpc, trpcOutcome } from "./client";

type Input = Record<string, unknown>;

/** Calls one procedure through both doors with the same input, each on an account of its own. */
interface Door {
  rest(account: Account, input: Input): Promise<Answer>;
  // The inputs are wrong on purpose.
  trpc(account: Account, input: Input): Promise<unknown>;
}

const pick = ({ apikey_id, group_id, ...body }: Input) => ({ id: apikey_id ?? group_id, body });

const DOORS: Record<string, Door> = {
  "keys.create": {
    rest: ({ apikey }, input) => call("POST", "/v1/apikeys", { key: apikey, body: input }),
    trpc: ({ apikey }, input) => trpc(apikey).keys.create.mutate(input as never),
  },
  "keys.setLimits": {
    rest: ({ apikey }, input) =>
      call("POST", `/v1/apikeys/${pick(input).id}/budget`, { key: apikey, body: pick(input).body }),
    trpc: ({ apikey }, input) => trpc(apikey).keys.setLimits.mutate(input as never),
  },
  "groups.create": {
    rest: ({ apikey }, input) => call("POST", "/v1/apikey_groups", { key: apikey, body: input }),
    trpc: ({ apikey }, input) => trpc(apikey).groups.create.mutate(input as never),
  },
  "groups.list": {
    rest: ({ apikey }) => call("GET", "/v1/apikey_groups", { key: apikey }),
    trpc: ({ apikey }) => trpc(apikey).groups.list.query(),
  },
  "groups.setLimits": {
    rest: ({ apikey }, input) =>
      call("POST", `/v1/apikey_groups/${pick(input).id}/batch_budget`, { key: apikey, body: pick(input).body }),
    trpc: ({ apikey }, input) => trpc(apikey).groups.setLimits.mutate(input as never),
  },
};

/** Ids, key values and times are each account's own; everything else must be the same. */
const neutral = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/sk-[0-9A-Za-z]{7,45}/g, "<key>")
      .replace(/"[0-9a-f]{24}"/g, '"<id>"')
      .replace(/"(created|updated)_at":\d+/g, '"$1_at":0'),
  );

async function bothDoors(name: string, arrange: (account: Account) => Promise<Input>) {
  const [first, second] = [await newAccount(), await newAccount()];
  const door = DOORS[name];
  if (!door) throw new Error(name);
  const rest = await door.rest(first, await arrange(first));
  const outcome = await trpcOutcome(door.trpc(second, await arrange(second)));
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
  ["keys.setLimits", "no such key", 404, { apikey_id: "sk-0000000", budget: 1 }],
  ["keys.setLimits", "no limit", 400, { apikey_id: "sk-0000000" }],
  ["groups.create", "all in order", 201, { name: "g", description: "d" }],
  ["groups.create", "white space", 400, { name: "  " }],
  ["groups.list", "no groups", 200, {}],
  ["groups.setLimits", "no such group", 400, { group_id: "0123456789abcdef01234567", budget: 1 }],
  ["groups.setLimits", "no ObjectId", 400, { group_id: "nope", budget: 1 }],
])("%s, %s: %i at both doors", async (name, _, status, input) => {
  expect(await bothDoors(name, async () => input)).toBe(status);
});

test("keys.setLimits on a key: the same at both doors", async () => {
  const status = await bothDoors("keys.setLimits", async (account) => {
    const { id } = await newKey(account, { budget: 5, expiry_date: "2030-01-01" });
    return { apikey_id: id, daily_limit: 1.5 };
  });
  expect(status).toBe(200);
});

test("groups.setLimits and groups.list on a group with keys: the same at both doors", async () => {
  const arrange = async (account: Account) => {
    const group_id = await newGroup(account, "g");
    await newKey(account, { group_id });
    return { group_id, budget: 3 };
  };
  expect(await bothDoors("groups.setLimits", arrange)).toBe(200);
  expect(await bothDoors("groups.list", arrange)).toBe(200);
});

test("401 and 403: the same at both doors", async () => {
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
