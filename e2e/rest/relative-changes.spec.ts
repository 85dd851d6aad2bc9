import { beforeEach, describe, expect, test } from "vitest";
import { countWaiting } from "@/server/testing/waiting";
import { type Account, call, database, newAccount, newGroup, newKey } from "./client";
import { idOf, KEYS_OF_CALL, keyRowsOf } from "./key-rows";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const { batch, setLimits, read, history, insertKeys, count } = keyRowsOf(() => account);

describe("batch_budget with filter and relative changes, 200", () => {
  test("each key from what it has; no limit stays none; the history has both values of each key", async () => {
    const rows = await Promise.all([
      newKey(account, { name: "a", budget: 100, daily_limit: 5 }),
      newKey(account, { name: "b", budget: 250.5 }),
      newKey(account, { name: "c", daily_limit: 50 }),
    ]);
    const ids = rows.map(({ id }) => id);
    const change = { budget: { multiply: 1.2 }, daily_limit: { at_most: 10 } };
    const limitsOfKeys = async () =>
      (await Promise.all(ids.map(read))).map(({ budget, daily_limit, monthly_limit }) => [
        budget,
        daily_limit,
        monthly_limit,
      ]);

    const { preview } = (await setLimits({ filter: { search: ids[1] }, change, dry_run: true })).body;
    expect(preview.changes).toEqual([
      {
        parameter: "budget",
        before: [{ value: 250.5, key_count: 1, after: 300.6 }],
        distinct_count: 1,
        unset_count: 0,
        change: { multiply: 1.2 },
        changed_count: 1,
      },
      {
        parameter: "daily_limit",
        before: [{ value: null, key_count: 1, after: 10 }],
        distinct_count: 1,
        unset_count: 1,
        change: { at_most: 10 },
        changed_count: 1,
      },
    ]);
    expect((await setLimits({ apikey_ids: ids, change, monthly_limit: 7 })).body.updated_count).toBe(3);
    expect(await limitsOfKeys()).toEqual([
      [120, 5, 7],
      [300.6, 10, 7],
      [null, 10, 7],
    ]);
    const [event] = await history("key.limits_set");
    expect(event.after).toEqual({ budget: { multiply: 1.2 }, daily_limit: { at_most: 10 }, monthly_limit: 7 });
    expect(Object.fromEntries(event.keys.map((key: { apikey_id: string }) => [key.apikey_id, key]))).toMatchObject({
      [ids[0] ?? ""]: {
        before: { budget: 100, daily_limit: 5, monthly_limit: null },
        after: { budget: 120, daily_limit: 5 },
      },
      [ids[2] ?? ""]: {
        before: { budget: null, daily_limit: 50, monthly_limit: null },
        after: { budget: null, daily_limit: 10 },
      },
    });

    // A key that the change leaves as it is gets no new version and no place in the history.
    const again = (await setLimits({ filter: {}, change: { budget: { at_least: 200 } } })).body;
    expect(again).toMatchObject({ updated_count: 4, unchanged_count: 3 });
    expect(await limitsOfKeys()).toEqual([
      [200, 5, 7],
      [300.6, 10, 7],
      [null, 10, 7],
    ]);
    expect((await history("key.limits_set"))[0]).toMatchObject({ key_count: 1 });

    // So it is where a limit beside the change has the value that the key has. Without a change it is written all the same.
    const search = ids[2];
    const beside = { filter: { search }, monthly_limit: 7 };
    const { version } = await read(search ?? "");
    const mixed = (await setLimits({ ...beside, change: { budget: { multiply: 2 } } })).body;
    expect([mixed.unchanged_count, (await read(search ?? "")).version]).toEqual([1, version]);
    expect((await setLimits(beside)).body.unchanged_count).toBe(0);
    expect((await read(search ?? "")).version).toBe(version + 1);
  });

  test("of many keys and of a group: the values of each key are kept too", async () => {
    const group_id = await newGroup(account);
    await insertKeys(1_500, { group_id: `'${group_id}'`, budget: "n" });
    await setLimits({ filter: { group_id }, change: { budget: { add: 0.5 } } });
    const path = `/v1/apikey_groups/${group_id}/batch_budget`;
    const body = { change: { budget: { multiply: 2 } }, request_id: "double" };
    const twice = await Promise.all([1, 2].map(() => call("POST", path, { key: account.apikey, body })));
    expect(twice.map((answer) => answer.body.updated_count)).toEqual([1_500, 1_500]);
    expect(twice.filter((answer) => answer.body.replayed)).toHaveLength(1);
    const other = await call("POST", path, { key: account.apikey, body: { budget: 5, request_id: "double" } });
    expect(other.status).toBe(400);
    expect(await count("budget <> 2 * (substr(id, 4)::int + 0.5)")).toBe(0);
    const [event] = await history("key.limits_set");
    const keys = await call("GET", `/v1/history/${event.id}/keys?page=15&page_size=100`, { key: account.apikey });
    expect(keys.body.data[99]).toEqual({
      apikey_id: idOf(1_500),
      name: "key 1500",
      before: { budget: 1_500.5 },
      after: { budget: 3_001 },
    });
  });

  test("of a group: a key of which no limit would change keeps its version, and is not in the history", async () => {
    const group_id = await newGroup(account);
    const limited = await newKey(account, { group_id, budget: 5 });
    const open = await newKey(account, { group_id });
    const toGroup = (change: object) =>
      call("POST", `/v1/apikey_groups/${group_id}/batch_budget`, { key: account.apikey, body: { change, request_id } });
    let request_id: string | undefined = "double";
    for (const replayed of [undefined, true]) {
      const { updated_count, ...body } = (await toGroup({ budget: { multiply: 2 } })).body;
      expect([updated_count, body.replayed]).toEqual([2, replayed]);
    }
    request_id = undefined;
    expect([await read(limited.id), await read(open.id)]).toMatchObject([
      { budget: 10, version: 2 },
      { budget: null, version: 1 },
    ]);
    expect(await history("key.limits_set")).toMatchObject([{ key_count: 1, keys: [{ apikey_id: limited.id }] }]);
    expect((await toGroup({ daily_limit: { multiply: 2 } })).body).toMatchObject({ updated_count: 2 });
    expect(await history("key.limits_set")).toHaveLength(1);
  });

  test("what would be blocked is counted with the limit that each key would get", async () => {
    await insertKeys(3, { budget: "n * 10", spent: "9" });
    const previewOf = async (change: object) =>
      (await setLimits({ filter: {}, change: { budget: change }, dry_run: true })).body.preview;
    expect(await previewOf({ multiply: 0.95 })).toMatchObject({ key_count: 4, blocked_count: 0 });
    expect(await previewOf({ multiply: 0.5 })).toMatchObject({ blocked: [{ apikey_id: idOf(1) }] });
    expect(await previewOf({ add: -12 })).toMatchObject({ blocked: [{ apikey_id: idOf(1) }, { apikey_id: idOf(2) }] });
    expect(await previewOf({ at_most: 9 })).toMatchObject({ blocked_count: 3 });
  });

  test("a request_id that is sent again changes nothing more, also after an answer that was lost", async () => {
    await insertKeys(KEYS_OF_CALL + 1, { budget: "100" });
    const body = { filter: { search: "key " }, change: { budget: { multiply: 2 } }, request_id: "double" };
    const first = (await setLimits(body)).body;
    expect(first).toMatchObject({ updated_count: KEYS_OF_CALL, next: idOf(KEYS_OF_CALL) });
    const { message: _, ...again } = (await setLimits(body)).body;
    expect(again).toMatchObject({ updated_count: KEYS_OF_CALL, next: first.next, replayed: true });
    const both = await Promise.all([1, 2].map(() => setLimits({ ...body, after: first.next })));
    expect(both.map((answer) => answer.body.updated_count)).toEqual([1, 1]);
    expect(both.filter((answer) => answer.body.replayed)).toHaveLength(1);
    expect(await count("budget <> 200")).toBe(0);

    const other = await setLimits({ ...body, change: { budget: { multiply: 3 } } });
    expect([other.status, other.body.error]).toEqual([400, "request_id: was used before, for another change"]);
    const named = { apikey_ids: [idOf(1)], change: { budget: { add: 1 } }, request_id: "add" };
    await setLimits(named);
    expect((await setLimits(named)).body).toMatchObject({ updated_count: 1, replayed: true });
    expect((await read(idOf(1))).budget).toBe(201);
  });

  test("a walk that is sent again goes the same way, also where its last keys have no limit to change", async () => {
    await insertKeys(KEYS_OF_CALL + 2, { budget: `CASE WHEN n < 100 OR n = ${KEYS_OF_CALL + 1} THEN 100 END` });
    const body = { filter: { search: "key " }, change: { budget: { multiply: 2 } }, request_id: "double" };
    const walk = async () => {
      const answers = [(await setLimits(body)).body];
      for (let after = answers[0].next; after !== null; after = answers.at(-1).next) {
        answers.push((await setLimits({ ...body, after })).body);
      }
      return answers.map(({ message: _, ...answer }) => answer);
    };
    const first = await walk();
    expect(first.map(({ next }) => next)).toEqual([idOf(KEYS_OF_CALL), null]);
    // A walk that went another way would come to these keys with a name that it has not used there.
    await database.pool.query("UPDATE api_key SET budget = 7 WHERE account_id = $1 AND budget IS NULL", [
      account.account_id,
    ]);
    expect(await walk()).toEqual(first.map((answer) => ({ ...answer, replayed: true })));
    expect([await count("budget = 200"), await count("budget = 7")]).toEqual([100, KEYS_OF_CALL + 2 - 100]);
  });

  test("a change that waited for another one of the same key stands behind it in the history", async () => {
    await insertKeys(2, { budget: "5" });
    const holder = await database.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT FROM api_key WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE", [
        account.account_id,
        idOf(1),
      ]);
      const doubled = setLimits({ filter: { search: "key " }, change: { budget: { multiply: 2 } } });
      await expect.poll(() => countWaiting(database.pool, holder), { interval: 10 }).toBe(1);
      await call("POST", `/v1/apikeys/${idOf(2)}/budget`, { key: account.apikey, body: { budget: 7 } });
      await holder.query("COMMIT");
      expect((await doubled).body.updated_count).toBe(2);
    } finally {
      holder.release();
    }
    const { body } = await call("GET", `/v1/history?apikey_id=${idOf(2)}`, { key: account.apikey });
    expect(body.data.map(({ keys: [key] }: { keys: { before: object; after: object }[] }) => key?.before)).toEqual([
      { budget: 7 },
      expect.objectContaining({ budget: 5 }),
    ]);
    expect((await read(idOf(2))).budget).toBe(14);
  });

  test("a request_id is for the keys that it was first sent for", async () => {
    const [one, other] = [await newGroup(account), await newGroup(account)];
    const inOne = await newKey(account, { group_id: one, budget: 5 });
    const inOther = await newKey(account, { group_id: other, budget: 5 });
    const change = { budget: { multiply: 2 } };
    const toGroup = (group: string, body: object) =>
      call("POST", `/v1/apikey_groups/${group}/batch_budget`, { key: account.apikey, body });
    const outcome = ({ status, body }: Awaited<ReturnType<typeof call>>) => body.error ?? [status, body.replayed];
    const used = "request_id: was used before, for another change";

    const group = { change, request_id: "a" };
    expect(outcome(await toGroup(one, group))).toEqual([200, undefined]);
    expect(outcome(await toGroup(other, group))).toBe(used);
    expect(outcome(await setLimits({ ...group, apikey_ids: [inOne.id] }))).toBe(used);
    expect(outcome(await toGroup(one, group))).toEqual([200, true]);

    const list = { change, request_id: "b", apikey_ids: [inOne.id, inOther.id] };
    expect(outcome(await setLimits(list))).toEqual([200, undefined]);
    expect(outcome(await setLimits({ ...list, apikey_ids: [inOther.id] }))).toBe(used);
    expect(outcome(await setLimits({ ...list, apikey_ids: [inOther.id, inOne.id, inOne.id] }))).toEqual([200, true]);

    const filtered = { action: "disable", request_id: "c", filter: { group_id: one } };
    expect(outcome(await batch(filtered))).toEqual([200, undefined]);
    expect(outcome(await batch({ ...filtered, filter: { group_id: other } }))).toBe(used);
    expect(outcome(await batch({ ...filtered, filter: { group_id: one, look: "over_80" } }))).toBe(used);
    expect(outcome(await batch(filtered))).toEqual([200, true]);

    expect((await read(inOne.id)).budget).toBe(20);
    expect(await read(inOther.id)).toMatchObject({ budget: 10, status: "active" });
  });
});
