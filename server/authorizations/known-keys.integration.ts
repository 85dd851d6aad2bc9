import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { Pipeline, runOnPool } from "../db/pipeline";
import { hashKeyValue, makeKeyValue } from "../keys/key-value";
import { rotateSecret } from "../keys/secret-queries";
import { registry } from "../metrics/registry";
import { database, newAccount, newKey } from "../testing/database";
import { type FakeClock, makeFakeClock } from "../testing/fake-clock";
import { type Answer, Authorizer } from "./authorizer";
import { checkLimits } from "./judge";
import { type AskedKey, KnownKeys, stateIn } from "./known-keys";
import { lockedKey } from "./spend-transaction";
import { COMPARE_KEYS } from "./statements/compare-keys";
import { LOCK_KNOWN_KEYS } from "./statements/lock-known-keys";
import { READ_CHECKED_KEYS, type VersionedKeyRow } from "./statements/read-keys";

// A process decides and checks by what it knows of a key since it saw it last. Whatever others change in between, its next
// decision, and its next check, are those of now.

const MODEL = "known-keys-model";
const by = { kind: "command_line", name: "test", address: null } as const;

let clock: FakeClock;
let databases: Database[];
beforeAll(async () => {
  clock = await makeFakeClock(database);
  databases = [clock.open(), clock.open()];
});
afterAll(() => Promise.all(databases.map((each) => each.close())));

let accountId: AccountId;
let key: { apikey: string; id: string };
let anotherKey: { apikey: string; id: string };
let authorizer: Authorizer;
let other: Authorizer;
beforeEach(async () => {
  accountId = (await newAccount()).account_id;
  await change("account", "time_zone = 'UTC'", "id", accountId);
  key = await newKey(accountId, { budget: 1000 });
  anotherKey = await newKey(accountId);
  [authorizer, other] = databases.map((db) => new Authorizer(db, { maxOpenHolds: 100 })) as [Authorizer, Authorizer];
  // Both clocks stand still, so that the process always knows which second it is for the database.
  vi.useFakeTimers({ toFake: ["performance"] });
  await clock.set(new Date("2026-11-23T12:00:00.700Z"));
});
afterEach(() => {
  vi.useRealTimers();
});

interface Asking {
  at?: Authorizer;
  amount?: number;
  requestId?: string;
  ttlSeconds?: number;
  names?: { apikey: string } | { apikeyId: string };
  model?: string;
}
const authorize = ({ at = authorizer, amount = 10, requestId, ttlSeconds = 600, names, model }: Asking = {}) =>
  at.authorize(
    {
      ...(names ?? { apikey: key.apikey }),
      ...(model === undefined
        ? { amount, inputPrice: undefined, outputPrice: undefined }
        : { model, inputTokens: 1000, cachedInputTokens: undefined, maxOutputTokens: 1000 }),
      requestId,
      ttlSeconds,
    },
    accountId,
  );
const capture = ({ authorizationId }: Answer, amount = 8, at = authorizer) =>
  at.capture(accountId, { id: authorizationId ?? "", amount });
const ASKED = { amount: 10, inputPrice: undefined, outputPrice: undefined };
/** The first obstacle of a check, what is left of the budget and of the day, and how many holds are open. */
const check = async (names: { apikey: string } | { apikeyId: string } = { apikey: key.apikey }, at = authorizer) => {
  const checked = await at.check(names, ASKED, accountId);
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
const change = (table: string, set: string, name: string, value: string) =>
  database.pool.query(`UPDATE ${table} SET ${set} WHERE ${name} = $1`, [value]);

/** Puts the clock of the database, and lets the process learn of it by another key. */
async function putClock(time: string): Promise<void> {
  await clock.set(new Date(time));
  await authorize({ names: { apikey: anotherKey.apikey } });
}

/** The names of the statements that decisions and checks send while something is done. */
const sentBy = async (work: () => Promise<unknown>) => (await piecesSentBy(work)).flat();

/** The same, apart by the pieces in which they are sent. */
async function piecesSentBy(work: () => Promise<unknown>): Promise<(string | undefined)[][]> {
  const query = vi.spyOn(Client.prototype, "query");
  try {
    await work();
    return query.mock.calls.flatMap(([first]) => {
      const sent: unknown = first;
      return sent instanceof Pipeline ? [sent.statements.map(({ name }) => name)] : [];
    });
  } finally {
    query.mockRestore();
  }
}

const READING = "read-versioned-keys";
const COMPARING = "lock-known-keys";

/** Sets the price of the model from a day on, in the operator's catalogue, where every account has it. */
const setPrice = (price: number, from = "1970-01-01") =>
  database.pool.query(
    `WITH written AS (
      INSERT INTO operator_price (id, name, aliases, input_price, output_price, valid_from)
      VALUES (left(md5($1 || $3), 24), $1, '{}', $2, 0, $3::date)
      ON CONFLICT (id) DO UPDATE SET input_price = EXCLUDED.input_price
    ) UPDATE operator_catalogue SET prices_version = prices_version + 1`,
    [MODEL, price, from],
  );

/** Decides until the key is known. Returns the last authorization, which is open. */
async function makeKnown(asking: Asking = {}): Promise<Answer> {
  for (let i = 0; i < 2; i++) await authorize(asking);
  let answer: Answer | undefined;
  expect(await sentBy(async () => (answer = await authorize(asking)))).not.toContain(READING);
  return answer as Answer;
}

test("a key that was decided on twice is compared, and not read, by holds, captures and voids of any of its values", async () => {
  const [first, second] = [await makeKnown(), await authorize()];
  const sent = await sentBy(async () => {
    expect(await capture(first)).toMatchObject({ settled: { state: "captured", captured: 8 }, isNew: true });
    expect(await authorizer.void(accountId, second.authorizationId ?? "")).toMatchObject({
      settled: { state: "voided" },
    });
    expect(await authorize({ names: { apikeyId: key.id } })).toMatchObject({ verdict: "granted" });
  });
  expect(sent.filter((name) => name === COMPARING)).toHaveLength(3);
  expect(sent).not.toContain(READING);
});

test("transactions are counted by how they knew their keys", async () => {
  const metric = registry.getSingleMetric("allowance_spend_transactions_total");
  metric?.reset();
  await makeKnown();
  await change("api_key", "budget = 500", "id", key.id);
  await authorize();
  expect((await metric?.get())?.values.map(({ labels, value }) => [labels.keys, value])).toEqual([
    ["read", 3],
    ["known", 1],
    ["changed", 1],
  ]);
});

test("what was settled here, and what was granted elsewhere, is read", async () => {
  const answer = await makeKnown();
  await capture(answer);
  expect(await sentBy(() => capture(answer, 9))).toContain(READING);
  expect(await capture(answer, 9)).toMatchObject({ settled: { captured: 8 }, isNew: false });
  const elsewhere = await authorize({ at: other });
  expect(await capture(elsewhere)).toMatchObject({ settled: { state: "captured" } });
});

test("a key on which two processes decide in turn is read each time, and never compared in vain", async () => {
  for (let i = 0; i < 4; i++) await authorize({ at: i % 2 ? other : authorizer });
  expect(await sentBy(() => authorize())).not.toContain(COMPARING);
});

test("a key on which another process decides now and then is compared in vain less and less, and often again in the end", async () => {
  const metric = registry.getSingleMetric("allowance_spend_transactions_total");
  metric?.reset();
  for (let i = 0; i < 60; i++) {
    // Read twice, it is taken for known. Then another process decides.
    for (let n = 0; n < 2; n++) await authorize({ amount: 0.1 });
    await authorize({ at: other, amount: 0.1 });
  }
  const inVain = (await metric?.get())?.values.find(({ labels }) => labels.keys === "changed")?.value;
  expect(inVain).toBeGreaterThan(2);
  expect(inVain).toBeLessThan(20);
  for (let i = 0; i < 150; i++) {
    const { authorizationId } = await authorize({ amount: 0.1 });
    await authorizer.void(accountId, authorizationId ?? "");
  }
  expect(await sentBy(() => authorize({ amount: 0.1 }))).not.toContain(READING);
});

test("a key whose account was changed is read twice, as one that was changed itself", async () => {
  await makeKnown();
  await change("account", "name = 'another'", "id", accountId);
  expect(await sentBy(() => authorize())).toEqual(expect.arrayContaining([COMPARING, READING]));
  expect(await sentBy(() => authorize())).not.toContain(COMPARING);
  expect(await sentBy(() => authorize())).not.toContain(READING);
});

test("a value that was never presented is read, and then known too", async () => {
  const byId = { names: { apikeyId: key.id } };
  const answer = await makeKnown(byId);
  expect(await sentBy(() => authorize())).toContain(READING);
  const sent = await sentBy(async () => {
    await authorize(byId);
    expect(await authorize()).toMatchObject({ verdict: "granted" });
    // Nobody else changed the key, so its authorizations are known as before.
    expect(await capture(answer)).toMatchObject({ isNew: true });
  });
  expect(sent).not.toContain(READING);
});

describe("what others change counts at once:", () => {
  test("a limit of the key", async () => {
    await makeKnown();
    await change("api_key", "budget = 35", "id", key.id);
    expect(await authorize()).toMatchObject({ verdict: "budget", left: { budget: 5 } });
    await change("api_key", "budget = 45", "id", key.id);
    expect(await authorize()).toMatchObject({ verdict: "granted", left: { budget: 5 } });
  });

  test.each([
    ["disabled", "disabled_at = now()", "key_disabled"],
    ["expired", "expiry_date = '2020-01-01'", "key_expired"],
    ["revoked", "revoked_at = now()", "key_not_found"],
  ])("the key is %s", async (_, set, verdict) => {
    await makeKnown();
    await change("api_key", set, "id", key.id);
    expect(await authorize()).toMatchObject({ verdict });
  });

  test("the account is disabled, and enabled", async () => {
    await makeKnown();
    await change("account", "disabled_at = now()", "id", accountId);
    expect(await authorize()).toMatchObject({ verdict: "account_disabled" });
    await change("account", "disabled_at = NULL", "id", accountId);
    expect(await authorize()).toMatchObject({ verdict: "granted" });
  });

  test("the value is rotated: the new one is good at once, the old one for its time of grace", async () => {
    await makeKnown();
    const values = [key.apikey];
    const rotate = async (graceSeconds: number) => {
      const { value } = makeKeyValue("sk-");
      const rotation = { apikeyId: key.id, hash: hashKeyValue(value), graceSeconds };
      await rotateSecret(databases[0] as Database, accountId, by, rotation);
      key = { ...key, apikey: value };
      values.push(value);
    };
    const verdicts = async () => {
      const answers = [];
      for (const apikey of values) answers.push((await authorize({ names: { apikey } })).verdict);
      return answers;
    };
    await rotate(2);
    for (let i = 0; i < 2; i++) expect(await verdicts()).toEqual(["granted", "granted"]);
    await putClock("2026-11-23T12:00:02.699Z");
    for (let i = 0; i < 2; i++) expect(await verdicts()).toEqual(["granted", "granted"]);
    await putClock("2026-11-23T12:00:02.700Z");
    expect(await verdicts()).toEqual(["key_not_found", "granted"]);
    // The clock is put back to where the old value is good, and the key is read without its values first.
    await putClock("2026-11-23T12:00:01Z");
    for (let i = 0; i < 2; i++) await authorize({ names: { apikeyId: key.id } });
    expect(await verdicts()).toEqual(["granted", "granted"]);
    await rotate(0);
    expect(await verdicts()).toEqual(["key_not_found", "key_not_found", "granted"]);
  });

  test("a value that ended without being presented does not keep the key from being known", async () => {
    await makeKnown();
    const { value } = makeKeyValue("sk-");
    const rotation = { apikeyId: key.id, hash: hashKeyValue(value), graceSeconds: 2 };
    await rotateSecret(databases[0] as Database, accountId, by, rotation);
    for (let i = 0; i < 2; i++) await authorize();
    await putClock("2026-11-23T12:00:05Z");
    await makeKnown({ names: { apikeyId: key.id } });
  });

  test("an authorization is captured, voided, or made for the same request elsewhere", async () => {
    const [first, second] = [await makeKnown(), await authorize()];
    await capture(first, 3, other);
    expect(await capture(first, 4)).toMatchObject({ settled: { captured: 3 }, isNew: false });
    await makeKnown();
    await other.void(accountId, second.authorizationId ?? "");
    expect(await capture(second)).toMatchObject({ settled: { state: "voided" }, isNew: false });
    await makeKnown();
    const elsewhere = await authorize({ at: other, requestId: "r" });
    await makeKnown();
    expect(await authorize({ requestId: "r" })).toMatchObject({
      verdict: "replayed",
      authorizationId: elsewhere.authorizationId,
    });
  });

  test("a price of the operator", async () => {
    await setPrice(1000);
    await makeKnown();
    // The first call asks for the prices of this moment; the next ones compare what is known of them.
    await authorize({ model: MODEL });
    expect(await sentBy(() => authorize({ model: MODEL }))).toContain(READING);
    expect(await makeKnown({ model: MODEL })).toMatchObject({ verdict: "granted", amount: 1 });
    await setPrice(3000);
    expect(await authorize({ model: MODEL })).toMatchObject({ verdict: "granted", amount: 3 });
  });
});

test("a request is new, and then it is not", async () => {
  await makeKnown();
  const requestId = randomUUID();
  const first = await authorize({ requestId });
  expect(await authorize({ requestId })).toMatchObject({
    verdict: "replayed",
    authorizationId: first.authorizationId,
  });
  await capture(first);
  await makeKnown();
  expect(await authorize({ requestId })).toMatchObject({ verdict: "used", usedState: "captured" });
});

test("a hold that expires within a second makes room at that moment", async () => {
  const at = new Authorizer(databases[0] as Database, { maxOpenHolds: 3 });
  for (let i = 0; i < 3; i++) await authorize({ at, ttlSeconds: 5 });
  const end = Date.parse("2026-11-23T12:00:06Z") / 1000;
  for (const time of ["12:00:00.700", "12:00:05.600"]) {
    await clock.set(new Date(`2026-11-23T${time}Z`));
    expect(await authorize({ at })).toMatchObject({ verdict: "open_holds", refusal: { resets_at: end } });
  }
  await clock.set(new Date("2026-11-23T12:00:05.800Z"));
  expect(await authorize({ at })).toMatchObject({ verdict: "granted" });
});

test("at the end of a day, its limit is the one of the next", async () => {
  await change("api_key", "daily_limit = 40", "id", key.id);
  await putClock("2026-11-23T23:59:58.999Z");
  await makeKnown();
  expect(await authorize({ amount: 20 })).toMatchObject({ verdict: "daily_limit" });
  await putClock("2026-11-24T00:00:00Z");
  expect(await authorize({ amount: 20 })).toMatchObject({ verdict: "granted", left: { daily_limit: 20 } });
});

test("a clock that is put back over the end of a day that the key never came to", async () => {
  await change("api_key", "daily_limit = 15", "id", key.id);
  await capture(await authorize(), 10);
  await putClock("2026-11-24T00:00:00Z");
  for (let i = 0; i < 3; i++) expect(await authorize({ amount: 5000 })).toMatchObject({ verdict: "budget" });
  await putClock("2026-11-23T23:59:50Z");
  expect(await authorize()).toMatchObject({ verdict: "daily_limit" });
});

test.each(["by the model first", "by an amount first"])(
  "a price that begins on the day that the key is in already, because the clock was put back: %s",
  async (first) => {
    await setPrice(1000);
    await setPrice(3000, "2026-11-24");
    await putClock("2026-11-24T00:00:00Z");
    for (let i = 0; i < 3; i++) expect(await authorize({ model: MODEL })).toMatchObject({ amount: 3 });
    await putClock("2026-11-23T23:59:50Z");
    if (first === "by an amount first") for (let i = 0; i < 2; i++) await authorize();
    for (let i = 0; i < 3; i++) expect(await authorize({ model: MODEL })).toMatchObject({ amount: 1 });
    await putClock("2026-11-24T00:00:00Z");
    expect(await authorize({ model: MODEL })).toMatchObject({ amount: 3 });
  },
);

/** The row of the key and that of its account as a process knows them, and since when the server runs. */
async function readVersions() {
  const { rows } = await database.pool.query(
    `SELECT key.xmin::text AS version, account.xmin::text AS account_version,
        date_part('epoch', pg_postmaster_start_time())::text AS server
      FROM api_key key JOIN account ON account.id = key.account_id WHERE key.id = $1`,
    [key.id],
  );
  return rows[0];
}

test("versions that another server has counted are not compared with those of this one", async () => {
  const { version, account_version, server } = await readVersions();
  // The second is read for each attempt, because it may end between the two statements.
  const areKnown = async (since: string | null, ofKey = version) => {
    const [found] = (await database.pool.query("SELECT floor(date_part('epoch', now()))::text AS second")).rows;
    const lists = [accountId, key.id, ofKey, account_version].map((each) => `{${each}}`);
    const [row] = await runOnPool(database.spendPool, LOCK_KNOWN_KEYS, [...lists, found.second, since, null]);
    return row?.are_known;
  };
  await expect.poll(() => areKnown(server)).toBe(true);
  expect(await areKnown(String(Number(server) - 1))).toBe(false);
  expect(await areKnown(server, String(Number(version) + 1))).toBe(false);
  // What is not known to be the same is another one.
  expect(await areKnown(null)).toBe(false);
});

describe("checks:", () => {
  const NOW = 1_700_000_000;
  /** A row that was read then. */
  const rowOf = (version: string): VersionedKeyRow => ({
    ...{ place: 1, key_id: key.id, is_revoked: false, is_account_disabled: false, is_disabled: false },
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
    await authorizer.capture(accountId, { id: authorizationId ?? "", amount: 3 });
    expect(await areRead(async () => expect(await check()).toMatchObject({ budget: 997, open: 0 }))).toBe(false);
  });

  test("many keys in one batch, of which some are known, changed, wrong or not there", async () => {
    await makeKnownToChecks();
    await makeKnownToChecks({ apikeyId: anotherKey.id });
    const changed = await newKey(accountId, { budget: 20 });
    await makeKnownToChecks({ apikey: changed.apikey });
    await change("api_key", "spent = 15", "id", changed.id);
    expect(
      await Promise.all([
        check({ apikey: changed.apikey }),
        check(),
        check({ apikeyId: "sk-0000000" }),
        check({ apikeyId: anotherKey.id }),
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
    const added = await newKey(accountId, { budget: 30 });
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
    await change("api_key", set, "id", key.id);
    for (let i = 0; i < 2; i++) expect(await check()).toMatchObject(expected);
  });

  test("a key that is deleted is not there", async () => {
    await makeKnownToChecks();
    await database.pool.query("DELETE FROM api_key WHERE id = $1", [key.id]);
    expect(await check()).toEqual({ code: "key_not_found" });
  });

  test("the account is disabled and enabled, and its zone changes the day", async () => {
    await change("api_key", "daily_limit = 20", "id", key.id);
    await capture(await authorize(), 8);
    await makeKnownToChecks();
    await change("account", "disabled_at = now()", "id", accountId);
    expect((await authorizer.check({ apikey: key.apikey }, ASKED, accountId))?.state.isAccountDisabled).toBe(true);
    await change("account", "disabled_at = NULL", "id", accountId);
    expect(await check()).toMatchObject({ code: undefined, day: 12 });
    // There it is the next day.
    await change("account", "time_zone = 'Pacific/Kiritimati'", "id", accountId);
    expect(await check()).toMatchObject({ day: 20 });
  });

  test("holds and captures of another process count at once", async () => {
    await makeKnownToChecks();
    const answer = await authorize({ at: other });
    expect(await check()).toMatchObject({ budget: 990, open: 1 });
    await capture(answer, 3, other);
    expect(await check()).toMatchObject({ budget: 997, open: 0 });
    await makeKnownToChecks();
  });

  test("a key that others have changed is compared again when two readings have found it the same", async () => {
    const sent = () => piecesSentBy(() => check());
    await makeKnownToChecks();
    await authorize({ at: other });
    expect(await sent()).toEqual([[COMPARE_KEYS.name], [READ_CHECKED_KEYS.name]]);
    await authorize({ at: other });
    for (let i = 0; i < 2; i++) expect(await sent()).toEqual([[READ_CHECKED_KEYS.name]]);
    expect(await sent()).toEqual([[COMPARE_KEYS.name]]);
  });

  test("a key that has changed is compared in vain once, also where a check does not note what it reads", async () => {
    await makeKnownToChecks();
    await capture(await authorize({ at: other, ttlSeconds: 5 }), 3, other);
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
    const byOthers = () => authorize({ at: other, amount: 0.1 });
    expect(await comparisons(20, byOthers)).toBeGreaterThan(2);
    expect(await comparisons(20, byOthers)).toBeLessThan(10);
    await comparisons(40, async () => {});
    expect(await comparisons(5, async () => {})).toBe(15);
  });

  test("a value that was rotated is good to the end of its grace, and not known to a check by id", async () => {
    await makeKnownToChecks({ apikeyId: key.id });
    const { value } = makeKeyValue("sk-");
    const rotation = { apikeyId: key.id, hash: hashKeyValue(value), graceSeconds: 2 };
    await rotateSecret(databases[0] as Database, accountId, by, rotation);
    await makeKnownToChecks({ apikeyId: key.id });
    expect(await areRead(() => check())).toBe(true);
    for (const [time, code] of [
      ["12:00:02.699", undefined],
      ["12:00:02.700", "key_not_found"],
      ["12:00:01.000", undefined],
    ]) {
      await clock.set(new Date(`2026-11-23T${time}Z`));
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
      await clock.set(new Date(`2026-11-23T${time}Z`));
      for (let i = 0; i < 2; i++) expect(await check()).toMatchObject(expected);
    }
  });

  test("a hold that has expired is released by the next decision, whatever a check has seen of the key", async () => {
    for (const ttlSeconds of [600, 5]) await authorize({ ttlSeconds });
    await makeKnownToChecks();
    await putClock("2026-11-23T12:00:07Z");
    for (let i = 0; i < 2; i++) expect(await check()).toMatchObject({ budget: 990, open: 1 });
    await authorize();
    await authorize({ at: other });
    const { rows } = await database.pool.query(
      `SELECT held::float8, open_holds, (SELECT count(*)::int FROM "authorization" WHERE key_id = $1 AND state = 'held') AS open
        FROM api_key WHERE id = $1`,
      [key.id],
    );
    expect(rows).toEqual([{ held: 30, open_holds: 3, open: 3 }]);
  });

  test("versions that another server has counted are not those of this one", async () => {
    const { version, account_version, server } = await readVersions();
    const lists = [accountId, key.id, version, account_version].map((each) => `{${each}}`);
    const changed = async (since: string) =>
      (await runOnPool(database.spendPool, COMPARE_KEYS, [...lists, since]))[0]?.changed;
    expect(await changed(server)).toBe(null);
    expect(await changed(String(Number(server) - 1))).toEqual([1]);
  });

  test("the day ends, and the clock is put back", async () => {
    const counters = "spent = 15, day = '2026-11-23', day_spent = 15, month = '2026-11-01', month_spent = 15";
    await change("api_key", `daily_limit = 20, ${counters}`, "id", key.id);
    await makeKnownToChecks();
    for (const [time, day] of [
      ["2026-11-23T23:59:59.999Z", 5],
      ["2026-11-24T00:00:01Z", 20],
    ] as const) {
      await clock.set(new Date(time));
      for (let i = 0; i < 2; i++) expect(await check()).toMatchObject({ day });
    }
    await putClock("2026-11-24T00:00:02Z");
    expect(await check()).toMatchObject({ day: 20 });
    await clock.set(new Date("2026-11-23T23:59:50Z"));
    for (let i = 0; i < 2; i++) expect(await check()).toMatchObject({ day: 5 });
    expect(await areRead(() => check())).toBe(false);
  });

  test("a key that a check has read is decided on by its versions, as one that a decision has read", async () => {
    await makeKnownToChecks();
    await change("api_key", "budget = 25", "id", key.id);
    for (const budget of [15, 5]) {
      expect(await authorize()).toMatchObject({ verdict: "granted", left: { budget } });
      expect(await check()).toMatchObject({ budget });
    }
    expect(await authorize()).toMatchObject({ verdict: "budget" });
  });

  test("what a check has read stays unknown when something newer has become known meanwhile", () => {
    const asked = { key: { accountId, keyId: key.id }, byValue: false };
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
    const [byValue, byId] = [true, false].map((each) => ({ key: { accountId, keyId: key.id }, byValue: each })) as [
      AskedKey,
      AskedKey,
    ];
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
});
