import { beforeEach, describe, expect, test } from "vitest";
import { changesOf } from "./changes";
import { type Account, database, newAccount, newKey } from "./client";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const { post, get, newest, eventCount, revert, change } = changesOf(() => account);

describe("200: prices", () => {
  const models = async () => (await get("/v1/models?source=account")).data;
  const set = (...prices: object[]) => change("/v1/models", { models: prices });
  const importCsv = (lines: string[], more: object = {}) =>
    change("/v1/models/import", {
      format: "csv",
      content: ["name,input_price,output_price", ...lines].join("\n"),
      ...more,
    });
  const left = (name: string, code: string, valid_from = "1970-01-01") =>
    expect.objectContaining({ apikey_id: null, group_id: null, name, valid_from, code, error: expect.any(String) });

  test("one price: set, changed and deleted, each undone in turn, and the undoing undone", async () => {
    const first = { name: "m", input_price: 0.15, output_price: 0.6, currency: "USD", rate: 7.2, aliases: ["n", "o"] };
    const created = await set({ ...first, cached_input_price: 0.075, max_output_tokens: 9 });
    const [before] = await models();
    const changed = await set({ name: "m", input_price: 3, output_price: 4 });
    const [after] = await models();
    const deleted = await change(`/v1/models/${before.model_id}/delete`);
    const untimed = ({ updated_at: _, ...rest }: { updated_at: number }) => rest;

    const undone = await revert(deleted);
    expect([undone.status, undone.body]).toEqual([
      200,
      {
        success: true,
        message: "Undone on 1 price.",
        updated_count: 1,
        failed_count: 0,
        skipped_count: 0,
        failed: [],
        event_ids: [expect.stringMatching(/^[0-9a-f]{24}$/)],
      },
    ]);
    // With its identifier, too.
    expect((await models()).map(untimed)).toEqual([untimed(after)]);
    const undoing = await newest();
    expect(undoing).toMatchObject({
      id: undone.body.event_ids[0],
      action: "models.set",
      reverts: deleted.id,
      before: {},
      after: { price_count: 1, model: "m", input_price: 3, currency: "CNY" },
    });
    expect((await get(`/v1/history?search=${deleted.id}`)).data).toMatchObject([{ reverted_by: undoing.id }]);
    expect((await revert(changed)).body.updated_count).toBe(1);
    expect((await models()).map(untimed)).toEqual([untimed(before)]);
    expect((await revert(created)).body.updated_count).toBe(1);
    expect(await models()).toEqual([]);
    const gone = await newest();
    expect(gone).toMatchObject({ action: "models.deleted", reverts: created.id });
    expect((await revert(gone)).body.updated_count).toBe(1);
    expect((await models()).map(untimed)).toEqual([untimed(before)]);
    // Calls are priced by it again.
    const { apikey } = await newKey(account);
    const asked = { apikey, model: "n", input_tokens: 1_000_000, max_output_tokens: 0 };
    expect((await post("/v1/authorizations", asked)).body).toMatchObject({ allowed: true, prices: { input: 1.08 } });
  });

  test("an import: created, changed and deleted prices in one event, previewed, to the last digit", async () => {
    const exact = "123456789012345.123456789";
    await importCsv([`kept,${exact},2`, "gone,3,4"]);
    const event = await importCsv(["kept,1,2", "new,5,6"], { replace: true });
    const count = await eventCount();
    const { body: tried } = await revert(event, { dry_run: true });
    expect(tried).toMatchObject({
      message: "Nothing changed. The change would be undone on 3 prices.",
      updated_count: 0,
      event_ids: [],
      preview: {
        ...{ key_count: 0, changes: [], blocked_count: 0, price_count: 3 },
        prices: [
          { change: "created", name: "gone", before: null, after: { input_price: 3, prices: { input: 3 } } },
          { change: "changed", name: "kept", before: { input_price: 1 }, after: { input_price: Number(exact) } },
          { change: "deleted", name: "new", valid_from: "1970-01-01", before: { output_price: 6 }, after: null },
        ],
      },
    });
    expect(await eventCount()).toBe(count);
    const stored = async () => {
      const sql = "SELECT name, input_price::text AS price FROM account_price WHERE account_id = $1 ORDER BY name";
      return (await database.pool.query(sql, [account.account_id])).rows.map(({ name, price }) => `${name} ${price}`);
    };
    expect((await revert(event)).body).toMatchObject({ message: "Undone on 3 prices.", updated_count: 3 });
    expect(await stored()).toEqual(["gone 3.000000000", `kept ${exact}`]);
    const undoing = await newest();
    expect(undoing).toMatchObject({
      action: "models.set",
      reverts: event.id,
      after: { price_count: 3, created_count: 1, changed_count: 1, deleted_count: 1 },
    });
    const prices = await get(`/v1/history/${undoing.id}/models`);
    expect([prices.total, Object.keys(prices.data[0])]).toEqual([
      3,
      ["change", "name", "valid_from", "before", "after"],
    ]);
    expect((await revert(undoing)).body.updated_count).toBe(3);
    expect(await stored()).toEqual(["kept 1.000000000", "new 5.000000000"]);
  });

  test("a price that was changed since keeps all of them, unless forced", async () => {
    await set({ name: "a", input_price: 1, output_price: 1 });
    const event = await set(
      { name: "a", input_price: 2, output_price: 1 },
      { name: "b", input_price: 2, output_price: 1 },
      { name: "b", input_price: 9, output_price: 1, valid_from: "2030-01-01" },
      { name: "c", input_price: 2, output_price: 1 },
    );
    const before = await models();
    await set({ name: "b", input_price: 2, output_price: 1, aliases: ["other"], valid_from: "2030-01-01" });
    const [c] = (await models()).filter(({ name }: { name: string }) => name === "c");
    await post(`/v1/models/${c.model_id}/delete`);
    const expected = {
      updated_count: 0,
      failed_count: 4,
      skipped_count: 1,
      failed: [
        left("b", "changed_since", "2030-01-01"),
        left("c", "as_before"),
        left("a", "undone_together"),
        left("b", "undone_together"),
      ],
      event_ids: [],
    };
    const count = await eventCount();
    const { body: tried } = await revert(event, { dry_run: true });
    expect(tried).toMatchObject({ ...expected, preview: { price_count: 0, prices: [] } });
    expect((await revert(event)).body).toMatchObject({
      ...expected,
      message: "Undone on 0 prices, 4 stay as they are.",
    });
    expect(await eventCount()).toBe(count);

    const { body: forced } = await revert(event, { force: true });
    expect(forced).toMatchObject({ updated_count: 3, failed: [left("c", "as_before")] });
    expect(await models()).toMatchObject([{ name: "a", input_price: 1 }]);
    // Undoing that brings back what it overwrote, and not what the first change had set.
    expect((await revert({ id: forced.event_ids[0] })).body.updated_count).toBe(3);
    expect(await models()).toMatchObject([
      { name: "a", input_price: 2 },
      { name: "b", aliases: ["other"], valid_from: "2030-01-01", model_id: before[1].model_id },
      { name: "b", aliases: [], input_price: 2 },
    ]);
    expect((await revert({ id: forced.event_ids[0] })).body).toMatchObject({ updated_count: 0, failed_count: 3 });
  });

  test("409 where the prices that come back would be too many; an older event without prices", async () => {
    await set({ name: "gone", input_price: 1, output_price: 1 });
    const [{ model_id }] = await models();
    const event = await change(`/v1/models/${model_id}/delete`);
    await database.pool.query(
      `INSERT INTO account_price (account_id, id, name, aliases, input_price, output_price)
       SELECT $1, lpad(i::text, 24, '0'), 'model ' || i, '{}', 1, 2 FROM generate_series(1, 10000) AS i`,
      [account.account_id],
    );
    for (const dry_run of [true, false]) {
      const answer = await revert(event, { dry_run });
      expect([answer.status, answer.body.error]).toEqual([
        409,
        "models: a catalogue may have at most 10000 prices; delete some first",
      ]);
    }
    await database.pool.query("UPDATE event SET prices = NULL WHERE account_id = $1", [account.account_id]);
    const old = await revert(event);
    expect([old.status, old.body.error]).toEqual([400, "event_id: this event cannot be undone"]);
  });

  test("of two at once one undoes it", async () => {
    const event = await set({ name: "m", input_price: 1, output_price: 1 });
    const answers = await Promise.all([revert(event), revert(event)]);
    expect(answers.map(({ body }) => body.updated_count).sort()).toEqual([0, 1]);
    expect((await get("/v1/history?action=models.deleted")).total).toBe(1);
  });
});
