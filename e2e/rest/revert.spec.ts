import { beforeEach, describe, expect, test } from "vitest";
import { changesOf } from "./changes";
import { type Account, call, database, NOWHERE, newAccount, newGroup, newKey } from "./client";
import { REST, setPrices } from "./prices";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const { post, get, key, newest, eventCount, revert, change } = changesOf(() => account);

/** A group with keys that have these limits. */
async function keysIn(name: string, limits: object[]) {
  const id = await newGroup(account, name);
  const ids: string[] = [];
  for (const each of limits) ids.push((await newKey(account, { ...each, group_id: id })).id);
  return { id, ids };
}

describe("200", () => {
  test("limits: what the event wrote is as before, with an event that can be undone too", async () => {
    const { id } = await newKey(account, { budget: 0.1, daily_limit: 0, expiry_date: "2031-12-31" });
    const event = await change(`/v1/apikeys/${id}/budget`, { budget: 0.000000001, monthly_limit: 7 });
    // Not a field of the event, so it is neither looked at nor written.
    await post(`/v1/apikeys/${id}/budget`, { input_price_limit: 3, expiry_date: "2032-01-01" });
    await post("/v1/apikeys/batch_budget", { apikey_ids: [id], expiry_date: "2031-12-31" });
    await database.pool.query("UPDATE api_key SET expiry_date = NULL WHERE account_id = $1", [account.account_id]);

    const answer = await revert(event);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        message: "Undone on 1 API key.",
        updated_count: 1,
        failed_count: 0,
        skipped_count: 0,
        failed: [],
        event_ids: [expect.stringMatching(/^[0-9a-f]{24}$/)],
      },
    ]);
    const before = { budget: 0.1, monthly_limit: null, expiry_date: "2031-12-31" };
    expect(await key(id)).toMatchObject({ ...before, daily_limit: 0, input_price_limit: 3 });
    const undoing = await newest();
    expect(undoing).toMatchObject({
      id: answer.body.event_ids[0],
      action: "key.limits_set",
      reverts: event.id,
      reverted_by: null,
      keys: [{ apikey_id: id, before: { budget: 0.000000001, monthly_limit: 7, expiry_date: null }, after: {} }],
      after: before,
    });
    expect((await get(`/v1/history?search=${event.id}`)).data).toMatchObject([{ reverted_by: undoing.id }]);

    expect((await revert(undoing)).body.updated_count).toBe(1);
    expect(await key(id)).toMatchObject({ budget: 0.000000001, monthly_limit: 7, expiry_date: null });
  });

  test("a relative change: each key has its own limit of before, but for those that were changed since", async () => {
    const group_id = await newGroup(account);
    const ids: string[] = [];
    for (const budget of [10, 20, 30]) ids.push((await newKey(account, { group_id, budget })).id);
    const budgets = () => Promise.all(ids.map(async (id) => (await key(id)).budget));
    const raise = { filter: { group_id }, change: { budget: { multiply: 1.2 } } };
    const raised = await change("/v1/apikeys/batch_budget", raise);
    expect(await budgets()).toEqual([12, 24, 36]);
    const undoing = (await revert(raised)).body.event_ids[0];
    expect(await budgets()).toEqual([10, 20, 30]);
    await post(`/v1/apikeys/${ids[0]}/budget`, { budget: 7 });
    const { body } = await revert({ id: undoing });
    expect([body.updated_count, body.failed]).toMatchObject([2, [{ apikey_id: ids[0], code: "changed_since" }]]);
    expect(await budgets()).toEqual([7, 24, 36]);
  });

  // The history keeps 1,000 keys in another form than a few, and undoes more than 5,000 in the database.
  test.each([2, 1_000, 5_001])(
    "limits with more digits than a number has come back to the last one: %i keys",
    async (count) => {
      const group_id = await newGroup(account);
      const budgets = Array.from({ length: count }, (_, place) => 10_000_000 + (place % 2));
      const values: string[] = [];
      for (let from = 0; from < count; from += 1_000) {
        const keys = budgets.slice(from, from + 1_000).map((budget) => ({ name: "k", group_id, budget }));
        const made = (await post("/v1/apikeys/bulk", { keys })).body.keys;
        if (from === 0) values.push(made[0].apikey, made[1].apikey);
      }
      // What is left of a limit shows the digits that the limit itself is too long to show.
      const left = () =>
        Promise.all(values.map(async (value) => (await key(value.slice(0, 10))).available.budget as number));
      for (const [place, apikey] of values.entries()) {
        const held = await post("/v1/authorizations", { apikey, amount: 9_999_999 + place });
        await post(`/v1/authorizations/${held.body.authorization_id}/capture`, { amount: 9_999_999 + place });
      }
      const grown = await change(`/v1/apikey_groups/${group_id}/batch_budget`, {
        change: { budget: { add: 0.000000001 } },
      });
      expect(await left()).toEqual([1.000000001, 1.000000001]);
      const shrinking = (await revert(grown)).body.event_ids[0];
      expect(await left()).toEqual([1, 1]);
      await revert({ id: shrinking });
      expect(await left()).toEqual([1.000000001, 1.000000001]);

      const event = await change(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 20_000_000 });
      const undoing = (await revert(event)).body.event_ids[0];
      expect(await left()).toEqual([1.000000001, 1.000000001]);
      const again = (await revert({ id: undoing })).body.event_ids[0];
      expect(await left()).toEqual([10_000_001, 10_000_000]);
      expect((await revert({ id: again })).body.updated_count).toBe(count);
      expect(await left()).toEqual([1.000000001, 1.000000001]);
    },
  );

  test("the limits that new keys of a group start with", async () => {
    const id = await newGroup(account);
    const set = await change(`/v1/apikey_groups/${id}`, { defaults: { budget: 55 }, apply_defaults: true });
    expect(await get(`/v1/apikey_groups/${id}`)).toMatchObject({ defaults: { budget: 55 }, apply_defaults: true });
    expect((await revert(set)).body.updated_count).toBe(1);
    expect(await get(`/v1/apikey_groups/${id}`)).toMatchObject({ defaults: { budget: null }, apply_defaults: false });
    expect((await revert(await newest())).body.updated_count).toBe(1);
    expect(await get(`/v1/apikey_groups/${id}`)).toMatchObject({ defaults: { budget: 55 }, apply_defaults: true });
  });

  test("a name, a state, a group", async () => {
    const [first, second] = [await newGroup(account, "first"), await newGroup(account, "second")];
    const { id } = await newKey(account, { name: "old", group_id: first });
    const renamed = await change(`/v1/apikeys/${id}/rename`, { name: "new" });
    const disabled = await change(`/v1/apikeys/${id}/disable`);
    const moved = await change(`/v1/apikeys/${id}/move`, { group_id: second });
    // The group is found by its id, whatever it is called now.
    await post(`/v1/apikey_groups/${first}`, { name: "renamed first" });
    for (const event of [renamed, disabled, moved]) expect((await revert(event)).body.updated_count).toBe(1);
    expect(await key(id)).toMatchObject({ name: "old", status: "active", group_id: first });
    expect(await newest()).toMatchObject({
      action: "key.moved",
      group_id: first,
      group_name: "renamed first",
      reverts: moved.id,
      after: { group: "renamed first", group_id: first },
    });
    const enabled = await newest("&action=key.enabled");
    expect(enabled).toMatchObject({ reverts: disabled.id });
    expect((await revert(enabled)).body.updated_count).toBe(1);
    expect((await key(id)).status).toBe("disabled");
  });

  test("many keys: each gets its own values, in one event, and that event can be undone", async () => {
    const [first, second] = [await newGroup(account, "first"), await newGroup(account, "second")];
    const ids: string[] = [];
    for (const [i, group_id] of [first, first, second].entries()) {
      ids.push((await newKey(account, { name: `n${i}`, group_id, budget: i, daily_limit: 5 })).id);
    }
    ids.push((await newKey(account, { name: "n3", budget: 3, daily_limit: 5 })).id);
    const limits = await change("/v1/apikeys/batch_budget", { apikey_ids: ids, budget: 9, daily_limit: 6 });
    const moved = await change("/v1/apikeys/batch", { apikey_ids: ids, action: "move", group_id: second });
    const budgets = async () => Promise.all(ids.map(async (id) => (await key(id)).budget));
    const groups = async () => Promise.all(ids.map(async (id) => (await key(id)).group_id));

    expect((await revert(moved)).body).toMatchObject({ updated_count: 3, failed_count: 0 });
    expect(await groups()).toEqual([first, first, second, null]);
    expect((await revert(limits)).body).toMatchObject({ updated_count: 4, failed_count: 0 });
    expect(await budgets()).toEqual([0, 1, 2, 3]);

    const undoing = await newest();
    expect(undoing).toMatchObject({ key_count: 4, after: { daily_limit: 5 } });
    const { data } = await get(`/v1/history/${undoing.id}/keys`);
    const sorted = ids.map((apikey_id, i) => ({ apikey_id, name: `n${i}`, after: { budget: i } }));
    sorted.sort((one, other) => (one.apikey_id < other.apikey_id ? -1 : 1));
    expect(data).toEqual(sorted.map((each) => ({ ...each, before: { budget: 9, daily_limit: 6 } })));
    expect((await revert(undoing)).body.updated_count).toBe(4);
    expect(await budgets()).toEqual([9, 9, 9, 9]);
  });

  test("a change of a whole group, and the name and the description of the group", async () => {
    const group_id = await newGroup(account, "Research");
    const { id } = await newKey(account, { group_id, budget: 5 });
    const limits = await change(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 9 });
    const changed = await change(`/v1/apikey_groups/${group_id}`, { name: "Lab", description: "d" });
    expect((await revert(changed, { dry_run: true })).body).toMatchObject({
      updated_count: 0,
      failed: [],
      preview: {
        changes: [
          { parameter: "name", values: [{ before: "Lab", after: "Research" }] },
          { parameter: "description", values: [{ before: "d", after: "" }] },
        ],
      },
    });
    expect((await get(`/v1/apikey_groups/${group_id}`)).name).toBe("Lab");
    expect((await revert(changed)).body).toMatchObject({
      message: 'Group "Research" is as it was before.',
      updated_count: 1,
    });
    expect(await newest()).toMatchObject({ action: "group.changed", group_name: "Research", reverts: changed.id });
    expect(await get(`/v1/apikey_groups/${group_id}`)).toMatchObject({ name: "Research", description: "" });
    expect((await revert(limits)).body.updated_count).toBe(1);
    expect((await key(id)).budget).toBe(5);
    expect(await newest()).toMatchObject({ group_id, group_name: "Research", key_count: 1 });
  });

  test("what was changed since is named and stays, unless forced", async () => {
    const ids = [];
    for (const name of ["a", "b", "c", "d"]) ids.push((await newKey(account, { name, budget: 1 })).id);
    const [a = "", b = "", c = "", d = ""] = ids;
    const event = await change("/v1/apikeys/batch_budget", { apikey_ids: ids, budget: 9, daily_limit: 2 });
    await post("/v1/apikeys/batch_budget", { apikey_ids: [b], daily_limit: 3 });
    await post(`/v1/apikeys/${c}/revoke`);
    await post(`/v1/apikeys/${d}/budget`, { budget: 1 });
    await database.pool.query("UPDATE api_key SET daily_limit = NULL WHERE account_id = $1 AND id = $2", [
      account.account_id,
      d,
    ]);
    const left = (apikey_id: string, name: string, code: string) =>
      expect.objectContaining({ apikey_id, group_id: null, name, code, error: expect.any(String) });
    const expected = [left(b, "b", "changed_since"), left(c, "c", "key_revoked"), left(d, "d", "as_before")];

    const events = await eventCount();
    const { body: tried } = await revert(event, { dry_run: true });
    expect(tried).toMatchObject({ updated_count: 0, failed_count: 3, skipped_count: 1, event_ids: [] });
    expect(tried.failed).toHaveLength(3);
    expect(tried.failed).toEqual(expect.arrayContaining(expected));
    expect(tried.preview).toMatchObject({
      key_count: 1,
      changes: [
        { parameter: "budget", values: [{ before: 9, after: 1, key_count: 1 }], changed_count: 1 },
        { parameter: "daily_limit", values: [{ before: 2, after: null, key_count: 1 }], distinct_count: 1 },
      ],
      blocked_count: 0,
    });
    expect(await eventCount()).toBe(events);

    const { body: done } = await revert(event);
    expect(done).toMatchObject({ updated_count: 1, failed_count: 3, skipped_count: 1 });
    expect(done.message).toBe("Undone on 1 API key, 3 stay as they are.");
    expect([(await key(a)).budget, (await key(b)).budget]).toEqual([1, 9]);
    const { body: forced } = await revert(event, { force: true });
    expect(forced).toMatchObject({ updated_count: 1, failed_count: 3, skipped_count: 0 });
    expect(await key(b)).toMatchObject({ budget: 1, daily_limit: null });
    // All is as it was: there is nothing to do, and no event.
    const count = await eventCount();
    expect((await revert(event, { force: true })).body).toMatchObject({ updated_count: 0, event_ids: [] });
    expect(await eventCount()).toBe(count);
  });

  test("a preview says which keys would be blocked at once", async () => {
    const { id, apikey } = await newKey(account, { name: "busy", budget: 1 });
    const event = await change(`/v1/apikeys/${id}/budget`, { budget: 100 });
    const { body: held } = await post("/v1/authorizations", { apikey, amount: 5 });
    await post(`/v1/authorizations/${held.authorization_id}/capture`, { amount: 5 });
    const { body } = await revert(event, { dry_run: true });
    expect(body.preview).toMatchObject({ blocked_count: 1, blocked: [{ apikey_id: id, name: "busy" }] });

    await post(`/v1/apikeys/${id}/disable`);
    const enabled = await change(`/v1/apikeys/${id}/enable`, {});
    const { body: undone } = await revert(enabled, { dry_run: true });
    expect(undone.preview).toMatchObject({ blocked_count: 1, blocked: [{ apikey_id: id, name: "busy" }] });
  });

  test("a group that is gone, a name that is taken", async () => {
    const [first, second] = [await newGroup(account, "first"), await newGroup(account, "second")];
    const { id } = await newKey(account, { group_id: first });
    const moved = await change(`/v1/apikeys/${id}/move`, { group_id: second });
    const renamed = await change(`/v1/apikey_groups/${second}`, { name: "third" });
    await post(`/v1/apikey_groups/${first}/delete`);
    expect((await revert(moved)).body.failed).toMatchObject([{ apikey_id: id, code: "former_group_gone" }]);
    expect((await key(id)).group_id).toBe(second);
    await newGroup(account, "second");
    for (const dry_run of [true, false]) {
      expect((await revert(renamed, { dry_run })).body.failed).toMatchObject([
        { apikey_id: null, group_id: second, name: "third", code: "group_name_taken" },
      ]);
    }
    expect((await revert(renamed, { dry_run: true })).body.preview.changes).toEqual([]);
    await post(`/v1/apikey_groups/${second}/delete`, { ungroup_keys: true });
    expect((await revert(renamed)).body.failed).toMatchObject([{ group_id: second, code: "group_not_found" }]);
  });

  test("an older event of a move, which has the names of groups alone", async () => {
    const [first, second] = [await newGroup(account, "first"), await newGroup(account, "second")];
    const { id } = await newKey(account, { group_id: first });
    const event = await change(`/v1/apikeys/${id}/move`, { group_id: second });
    const ofEvent = [account.account_id, event.id];
    await database.pool.query("UPDATE event SET after = after - 'group_id' WHERE account_id = $1 AND id = $2", ofEvent);
    await database.pool.query(
      "UPDATE event_key SET before = before - 'group_id' WHERE account_id = $1 AND event_id = $2",
      ofEvent,
    );
    expect((await revert(event)).body.updated_count).toBe(1);
    expect((await key(id)).group_id).toBe(first);
    expect((await revert(event)).body.failed).toMatchObject([{ code: "as_before" }]);
  });

  test("price ceilings: which models come and go, of keys and of what new keys of a group start with", async () => {
    const price = (name: string, input_price: number) => ({ name, input_price, output_price: 1 });
    await setPrices(account, [price("dear", 9), price("fair", 5), price("cheap", 1), REST]);
    const { id: group_id, ids } = await keysIn("g", [
      { input_price_limit: 6 },
      { input_price_limit: 2, output_price_limit: 0 },
      {},
    ]);
    const raised = await change(`/v1/apikey_groups/${group_id}/batch_budget`, { input_price_limit: 10 });
    await post("/v1/apikeys/batch_budget", { apikey_ids: [ids[2]], output_price_limit: 0.5 });
    expect((await revert(raised, { dry_run: true })).body.preview.models).toEqual({
      total: 4,
      allowed: { least: 0, most: 2 },
      coming_count: 0,
      coming: [],
      going_count: 2,
      going: [
        { name: "dear", key_count: 2 },
        { name: "fair", key_count: 1 },
      ],
    });
    // Limits of spend say nothing of models.
    const spend = await change(`/v1/apikey_groups/${group_id}/batch_budget`, { budget: 10 });
    expect((await revert(spend, { dry_run: true })).body.preview).not.toHaveProperty("models");

    await change(`/v1/apikey_groups/${group_id}`, { defaults: { output_price_limit: 1 } });
    const lowered = await change(`/v1/apikey_groups/${group_id}`, { defaults: { input_price_limit: 2 } });
    expect((await revert(lowered, { dry_run: true })).body.preview).toMatchObject({
      key_count: 0,
      models: {
        ...{ total: 4, allowed: { least: 3, most: 3 }, coming_count: 2, going_count: 0 },
        coming: [
          { name: "dear", key_count: 1 },
          { name: "fair", key_count: 1 },
        ],
      },
    });
    const renamed = await change(`/v1/apikey_groups/${group_id}`, { name: "h" });
    expect((await revert(renamed, { dry_run: true })).body.preview).not.toHaveProperty("models");
  });

  test("two at once undo it once", async () => {
    const { id } = await newKey(account, { name: "old" });
    const event = await change(`/v1/apikeys/${id}/rename`, { name: "new" });
    const answers = await Promise.all([revert(event), revert(event)]);
    expect(answers.map(({ body }) => body.updated_count).sort()).toEqual([0, 1]);
    expect((await get(`/v1/history?apikey_id=${id}&action=key.renamed`)).total).toBe(2);
  });
});

describe("400", () => {
  test("what is final, and what is not a change of a key or a group", async () => {
    const group_id = await newGroup(account, "g");
    const { id } = await newKey(account);
    const events = [await newest("&action=key.created"), await newest("&action=group.created")];
    events.push(await change(`/v1/apikeys/${id}/rotate`), await change(`/v1/apikeys/${id}/revoke`));
    events.push(
      await change(`/v1/apikey_groups/${group_id}/delete`),
      await change("/v1/account", { time_zone: "UTC" }),
    );
    const answers = [];
    for (const event of events) answers.push(await revert(event));
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [400, "event_id: the creation of a key is not undone; disable or revoke the key"],
      [400, "event_id: the creation of a group is not undone; delete the group"],
      [400, "event_id: a rotation is final, because old values are not stored"],
      [400, "event_id: revoking is final; create another key"],
      [400, "event_id: a deleted group does not come back; create another one"],
      [400, "event_id: this event cannot be undone"],
    ]);
  });

  test.each([
    ["nope", {}, /^event_id: must be a valid ObjectId/],
    [NOWHERE.event_id, { force: "yes" }, /^force: expected boolean, received string$/],
    [NOWHERE.event_id, { dry_run: 1 }, /^dry_run: expected boolean, received number$/],
  ])("%s %j", async (id, body, error) => {
    const answer = await revert({ id }, body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(error)]);
  });
});

test("404: no such event, and an event of another account", async () => {
  const { id } = await newKey(account, { name: "old" });
  const event = await change(`/v1/apikeys/${id}/rename`, { name: "new" });
  const stranger = await newAccount();
  const theirs = await call("POST", `/v1/history/${event.id}/revert`, { key: stranger.apikey, body: { force: true } });
  const none = await revert({ id: NOWHERE.event_id });
  expect([none.status, none.body]).toEqual([404, { success: false, error: "event_id: the event does not exist" }]);
  expect([theirs.status, theirs.body]).toEqual([none.status, none.body]);
  expect((await key(id)).name).toBe("new");
});
