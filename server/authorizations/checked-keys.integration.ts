import { expect, test } from "vitest";
import type { Database } from "../db/client";
import { runOnPool } from "../db/pipeline";
import { hashKeyValue, makeKeyValue } from "../keys/key-value";
import { rotateSecret } from "../keys/secret-queries";
import { database, newKey } from "../testing/database";
import { change, piecesSentBy, sentBy, TwoProcesses } from "../testing/two-processes";
import { checkLimits } from "./judge";
import { lockedKey } from "./key-rows";
import { type AskedKey, KnownKeys, stateIn } from "./known-keys";
import { COMPARE_KEYS } from "./statements/compare-keys";
import { READ_CHECKED_KEYS, type VersionedKeyRow } from "./statements/read-keys";

// A process checks by what it knows of a key since it saw it last. Whatever others change in between, its next check is
// that of now.

const by = { kind: "command_line", name: "test", address: null } as const;

const on = new TwoProcesses();
const { authorize, capture, putClock, readVersions } = on;

const ASKED = { amount: 10, inputPrice: undefined, outputPrice: undefined };
/** The first obstacle of a check, what is left of the budget and of the day, and how many holds are open. */
const check = async (
  names: { apikey: string } | { apikeyId: string } = { apikey: on.key.apikey },
  at = on.authorizer,
) => {
  const checked = await at.check(names, ASKED, on.accountId);
  if (!checked) return { code: "key_not_found" };
  const limits = checkLimits(checked.state, checked.asked);
  const of = (name: string) => limits.find(({ code }) => code === name);
  return {
    code: limits.find(({ passes }) => !passes)?.code,
    budget: of("budget")?.available,
    day: of("daily_limit")?.available,
    open: of("open_holds")?.held,
  };
};

const NOW = 1_700_000_000;
/** A row that was read then. */
const rowOf = (version: string): VersionedKeyRow => ({
  ...{ place: 1, key_id: on.key.id, is_revoked: false, is_account_disabled: false, is_disabled: false },
  ...{ is_expired: false, must_release: false, value_hashes: null, open_holds: 0, now: NOW, hold_ends_at: null },
  ...{ day: "2023-11-15", month: "2023-11-01", day_resets_at: NOW + 3600, month_resets_at: NOW + 7200 },
  ...{ input_price_limit: null, output_price_limit: null, values_end_at: null },
  ...{ budget_limit: "10", budget_spent: "0", budget_held: "0" },
  ...{ daily_limit_limit: null, daily_limit_spent: "0", daily_limit_held: "0" },
  ...{ monthly_limit_limit: null, monthly_limit_spent: "0", monthly_limit_held: "0" },
  ...{ version, account_version: "7", moment: NOW + 0.5, running_since: "1" },
});
/** Whether checks read keys: otherwise they are answered by what is known. */
async function areRead(work: () => Promise<unknown>): Promise<boolean> {
  const sent = (await sentBy(work)).filter((name) => name === COMPARE_KEYS.name || name === READ_CHECKED_KEYS.name);
  expect(sent).not.toEqual([]);
  return sent.includes(READ_CHECKED_KEYS.name);
}
/** Checks until the key is known. */
async function makeKnownToChecks(names?: { apikey: string } | { apikeyId: string }): Promise<void> {
  for (let i = 0; i < 2; i++) await check(names);
  expect(await areRead(() => check(names))).toBe(false);
}

test("a key that was checked or decided on is compared by the next check, and not read", async () => {
  await makeKnownToChecks();
  expect(await check()).toMatchObject({ code: undefined, budget: 1000, open: 0 });
  const { authorizationId } = await authorize();
  expect(await areRead(async () => expect(await check()).toMatchObject({ budget: 990, open: 1 }))).toBe(false);
  await on.authorizer.capture(on.accountId, { id: authorizationId ?? "", amount: 3 });
  expect(await areRead(async () => expect(await check()).toMatchObject({ budget: 997, open: 0 }))).toBe(false);
});

test("many keys in one batch, of which some are known, changed, wrong or not there", async () => {
  await makeKnownToChecks();
  await makeKnownToChecks({ apikeyId: on.anotherKey.id });
  const changed = await newKey(on.accountId, { budget: 20 });
  await makeKnownToChecks({ apikey: changed.apikey });
  await change("api_key", "spent = 15", "id", changed.id);
  expect(
    await Promise.all([
      check({ apikey: changed.apikey }),
      check(),
      check({ apikeyId: "sk-0000000" }),
      check({ apikeyId: on.anotherKey.id }),
      check({ apikeyId: changed.id }),
    ]),
  ).toMatchObject([
    { code: "budget", budget: 5 },
    { code: undefined, budget: 1000 },
    { code: "key_not_found" },
    { code: undefined, budget: null },
    { code: "budget", budget: 5 },
  ]);
  // The changed key and the added one were read once, so they are read again, in the piece that compares the known one.
  const added = await newKey(on.accountId, { budget: 30 });
  await check({ apikey: added.apikey });
  const checks = () => Promise.all([check({ apikey: changed.apikey }), check(), check({ apikey: added.apikey })]);
  const pieces = await piecesSentBy(async () =>
    expect(await checks()).toMatchObject([{ budget: 5 }, { budget: 1000 }, { budget: 30 }]),
  );
  expect(pieces).toEqual([[COMPARE_KEYS.name, READ_CHECKED_KEYS.name]]);
});

test.each([
  ["a limit", "budget = 4", { code: "budget", budget: 4 }],
  ["what was spent elsewhere", "spent = 995", { code: "budget", budget: 5 }],
  ["the key is disabled", "disabled_at = now()", { code: "key_disabled" }],
  ["the key is expired", "expiry_date = '2020-01-01'", { code: "key_expired" }],
  ["the key is revoked", "revoked_at = now()", { code: "key_not_found" }],
])("what others change counts at once: %s", async (_, set, expected) => {
  await makeKnownToChecks();
  await change("api_key", set, "id", on.key.id);
  for (let i = 0; i < 2; i++) expect(await check()).toMatchObject(expected);
});

test("a key that is deleted is not there", async () => {
  await makeKnownToChecks();
  await database.pool.query("DELETE FROM api_key WHERE id = $1", [on.key.id]);
  expect(await check()).toEqual({ code: "key_not_found" });
});

test("the account is disabled and enabled, and its zone changes the day", async () => {
  await change("api_key", "daily_limit = 20", "id", on.key.id);
  await capture(await authorize(), 8);
  await makeKnownToChecks();
  await change("account", "disabled_at = now()", "id", on.accountId);
  expect((await on.authorizer.check({ apikey: on.key.apikey }, ASKED, on.accountId))?.state.isAccountDisabled).toBe(
    true,
  );
  await change("account", "disabled_at = NULL", "id", on.accountId);
  expect(await check()).toMatchObject({ code: undefined, day: 12 });
  // There it is the next day.
  await change("account", "time_zone = 'Pacific/Kiritimati'", "id", on.accountId);
  expect(await check()).toMatchObject({ day: 20 });
});

test("holds and captures of another process count at once", async () => {
  await makeKnownToChecks();
  const answer = await authorize({ at: on.other });
  expect(await check()).toMatchObject({ budget: 990, open: 1 });
  await capture(answer, 3, on.other);
  expect(await check()).toMatchObject({ budget: 997, open: 0 });
  await makeKnownToChecks();
});

test("a key that others have changed is compared again when two readings have found it the same", async () => {
  const sent = () => piecesSentBy(() => check());
  await makeKnownToChecks();
  await authorize({ at: on.other });
  expect(await sent()).toEqual([[COMPARE_KEYS.name], [READ_CHECKED_KEYS.name]]);
  await authorize({ at: on.other });
  for (let i = 0; i < 2; i++) expect(await sent()).toEqual([[READ_CHECKED_KEYS.name]]);
  expect(await sent()).toEqual([[COMPARE_KEYS.name]]);
});

test("a key that has changed is compared in vain once, also where a check does not note what it reads", async () => {
  await makeKnownToChecks();
  await capture(await authorize({ at: on.other, ttlSeconds: 5 }), 3, on.other);
  // Its hold is captured, and its time is over.
  await putClock("2026-11-23T12:00:07Z");
  expect(await sentBy(() => check())).toEqual([COMPARE_KEYS.name, READ_CHECKED_KEYS.name]);
  expect(await sentBy(() => check())).toEqual([READ_CHECKED_KEYS.name]);
});

test("a key that others change now and then is compared in vain less and less, and always again in the end", async () => {
  const comparisons = async (times: number, between: () => Promise<unknown>) => {
    let count = 0;
    for (let i = 0; i < times; i++) {
      await between();
      for (let n = 0; n < 3; n++) {
        const sent = await sentBy(async () => expect(await check()).toMatchObject({ code: undefined }));
        if (sent.includes(COMPARE_KEYS.name)) count++;
      }
    }
    return count;
  };
  const byOthers = () => authorize({ at: on.other, amount: 0.1 });
  expect(await comparisons(20, byOthers)).toBeGreaterThan(2);
  expect(await comparisons(20, byOthers)).toBeLessThan(10);
  await comparisons(40, async () => {});
  expect(await comparisons(5, async () => {})).toBe(15);
});

test("a value that was rotated is good to the end of its grace, and not known to a check by id", async () => {
  await makeKnownToChecks({ apikeyId: on.key.id });
  const { value } = makeKeyValue("sk-");
  const rotation = { apikeyId: on.key.id, hash: hashKeyValue(value), graceSeconds: 2 };
  await rotateSecret(on.databases[0] as Database, on.accountId, by, rotation);
  await makeKnownToChecks({ apikeyId: on.key.id });
  expect(await areRead(() => check())).toBe(true);
  for (const [time, code] of [
    ["12:00:02.699", undefined],
    ["12:00:02.700", "key_not_found"],
    ["12:00:01.000", undefined],
  ]) {
    await on.clock.set(new Date(`2026-11-23T${time}Z`));
    for (let i = 0; i < 2; i++) {
      expect(await check()).toMatchObject({ code });
      expect(await check({ apikey: value })).toMatchObject({ code: undefined });
    }
  }
});

test("a hold that expires makes room at that moment, also before it is released", async () => {
  await authorize({ ttlSeconds: 5 });
  await makeKnownToChecks();
  for (const [time, expected] of [
    ["12:00:05.699", { budget: 990, open: 1 }],
    ["12:00:05.700", { budget: 1000, open: 0 }],
    ["12:00:07.000", { budget: 1000, open: 0 }],
    ["12:00:01.000", { budget: 990, open: 1 }],
  ] as const) {
    await on.clock.set(new Date(`2026-11-23T${time}Z`));
    for (let i = 0; i < 2; i++) expect(await check()).toMatchObject(expected);
  }
});

test("a hold that has expired is released by the next decision, whatever a check has seen of the key", async () => {
  for (const ttlSeconds of [600, 5]) await authorize({ ttlSeconds });
  await makeKnownToChecks();
  await putClock("2026-11-23T12:00:07Z");
  for (let i = 0; i < 2; i++) expect(await check()).toMatchObject({ budget: 990, open: 1 });
  await authorize();
  await authorize({ at: on.other });
  const { rows } = await database.pool.query(
    `SELECT held::float8, open_holds, (SELECT count(*)::int FROM "authorization" WHERE key_id = $1 AND state = 'held') AS open
      FROM api_key WHERE id = $1`,
    [on.key.id],
  );
  expect(rows).toEqual([{ held: 30, open_holds: 3, open: 3 }]);
});

test("versions that another server has counted are not those of this one", async () => {
  const { version, account_version, server } = await readVersions();
  const lists = [on.accountId, on.key.id, version, account_version].map((each) => `{${each}}`);
  const changed = async (since: string) =>
    (await runOnPool(database.spendPool, COMPARE_KEYS, [...lists, since]))[0]?.changed;
  expect(await changed(server)).toBe(null);
  expect(await changed(String(Number(server) - 1))).toEqual([1]);
});

test("the day ends, and the clock is put back", async () => {
  const counters = "spent = 15, day = '2026-11-23', day_spent = 15, month = '2026-11-01', month_spent = 15";
  await change("api_key", `daily_limit = 20, ${counters}`, "id", on.key.id);
  await makeKnownToChecks();
  for (const [time, day] of [
    ["2026-11-23T23:59:59.999Z", 5],
    ["2026-11-24T00:00:01Z", 20],
  ] as const) {
    await on.clock.set(new Date(time));
    for (let i = 0; i < 2; i++) expect(await check()).toMatchObject({ day });
  }
  await putClock("2026-11-24T00:00:02Z");
  expect(await check()).toMatchObject({ day: 20 });
  await on.clock.set(new Date("2026-11-23T23:59:50Z"));
  for (let i = 0; i < 2; i++) expect(await check()).toMatchObject({ day: 5 });
  expect(await areRead(() => check())).toBe(false);
});

test("a key that a check has read is decided on by its versions, as one that a decision has read", async () => {
  await makeKnownToChecks();
  await change("api_key", "budget = 25", "id", on.key.id);
  for (const budget of [15, 5]) {
    expect(await authorize()).toMatchObject({ verdict: "granted", left: { budget } });
    expect(await check()).toMatchObject({ budget });
  }
  expect(await authorize()).toMatchObject({ verdict: "budget" });
});

test("what a check has read stays unknown when something newer has become known meanwhile", () => {
  const asked = { key: { accountId: on.accountId, keyId: on.key.id }, byValue: false };
  const known = new KnownKeys();
  known.learnClock(NOW, 0);
  const find = () => known.findForChecks([asked], 0).each[0];
  const note = (before: ReturnType<typeof find>, version: string) => {
    known.noteChecked(asked, before?.version, rowOf(version), lockedKey(rowOf(version), { maxOpenHolds: 10 }));
    return find();
  };
  const first = note(undefined, "100");
  expect(first).toMatchObject({ version: "100", isCompared: false });
  expect(note(first, "102")).toMatchObject({ version: "102" });
  expect(note(first, "101")).toMatchObject({ version: "102" });
  expect(note(undefined, "101")).toMatchObject({ version: "102" });
});

test("a check that was found to be the same has the values that were compared, whatever is noted meanwhile", () => {
  const [byValue, byId] = [true, false].map((each) => ({
    key: { accountId: on.accountId, keyId: on.key.id },
    byValue: each,
  })) as [AskedKey, AskedKey];
  const known = new KnownKeys();
  known.learnClock(NOW, 0);
  const find = (asked: AskedKey) => known.findForChecks([asked], 0).each[0];
  const read = (version: string, hashes: string | null) => {
    const read = { ...rowOf(version), value_hashes: hashes };
    return [read, lockedKey(read, { maxOpenHolds: 10 })] as const;
  };
  for (let i = 0; i < 2; i++) known.noteChecked(byValue, find(byValue)?.version, ...read("100", "aa"));
  const before = find(byValue);
  expect(before?.isCompared).toBe(true);
  // A decision by the id has read the key anew, and knows no values.
  known.noteChecked(byId, before?.version, ...read("101", null));
  expect(find(byValue)?.isCompared).toBe(false);
  expect(before && stateIn(NOW, before)?.values).toEqual(["aa"]);
  for (const second of [NOW - 1, NOW + 7200]) expect(before && stateIn(second, before)).toBe(undefined);
  // What a decision has noted meanwhile is not forgotten.
  if (before) known.forget(byId, before);
  expect(find(byId)).toMatchObject({ version: "101" });
});
