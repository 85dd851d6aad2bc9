import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Database } from "../db/client";
import { runOnPool } from "../db/pipeline";
import { hashKeyValue, makeKeyValue } from "../keys/key-value";
import { rotateSecret } from "../keys/secret-queries";
import { registry } from "../metrics/registry";
import { database } from "../testing/database";
import { type Asking, change, sentBy, TwoProcesses } from "../testing/two-processes";
import { type Answer, Authorizer } from "./authorizer";
import { LOCK_KNOWN_KEYS } from "./statements/lock-known-keys";

// A process decides by what it knows of a key since it saw it last. Whatever others change in between, its next decision is
// that of now.

const MODEL = "known-keys-model";
const by = { kind: "command_line", name: "test", address: null } as const;

const on = new TwoProcesses();
const { authorize, capture, putClock, readVersions } = on;

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
    expect(await on.authorizer.void(on.accountId, second.authorizationId ?? "")).toMatchObject({
      settled: { state: "voided" },
    });
    expect(await authorize({ names: { apikeyId: on.key.id } })).toMatchObject({ verdict: "granted" });
  });
  expect(sent.filter((name) => name === COMPARING)).toHaveLength(3);
  expect(sent).not.toContain(READING);
});

test("transactions are counted by how they knew their keys", async () => {
  const metric = registry.getSingleMetric("allowance_spend_transactions_total");
  metric?.reset();
  await makeKnown();
  await change("api_key", "budget = 500", "id", on.key.id);
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
  const elsewhere = await authorize({ at: on.other });
  expect(await capture(elsewhere)).toMatchObject({ settled: { state: "captured" } });
});

test("a key on which two processes decide in turn is read each time, and never compared in vain", async () => {
  for (let i = 0; i < 4; i++) await authorize({ at: i % 2 ? on.other : on.authorizer });
  expect(await sentBy(() => authorize())).not.toContain(COMPARING);
});

test("a key on which another process decides now and then is compared in vain less and less, and often again in the end", async () => {
  const metric = registry.getSingleMetric("allowance_spend_transactions_total");
  metric?.reset();
  for (let i = 0; i < 60; i++) {
    // Read twice, it is taken for known. Then another process decides.
    for (let n = 0; n < 2; n++) await authorize({ amount: 0.1 });
    await authorize({ at: on.other, amount: 0.1 });
  }
  const inVain = (await metric?.get())?.values.find(({ labels }) => labels.keys === "changed")?.value;
  expect(inVain).toBeGreaterThan(2);
  expect(inVain).toBeLessThan(20);
  for (let i = 0; i < 150; i++) {
    const { authorizationId } = await authorize({ amount: 0.1 });
    await on.authorizer.void(on.accountId, authorizationId ?? "");
  }
  expect(await sentBy(() => authorize({ amount: 0.1 }))).not.toContain(READING);
});

test("a key whose account was changed is read twice, as one that was changed itself", async () => {
  await makeKnown();
  await change("account", "name = 'another'", "id", on.accountId);
  expect(await sentBy(() => authorize())).toEqual(expect.arrayContaining([COMPARING, READING]));
  expect(await sentBy(() => authorize())).not.toContain(COMPARING);
  expect(await sentBy(() => authorize())).not.toContain(READING);
});

test("a value that was never presented is read, and then known too", async () => {
  const byId = { names: { apikeyId: on.key.id } };
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
    await change("api_key", "budget = 35", "id", on.key.id);
    expect(await authorize()).toMatchObject({ verdict: "budget", left: { budget: 5 } });
    await change("api_key", "budget = 45", "id", on.key.id);
    expect(await authorize()).toMatchObject({ verdict: "granted", left: { budget: 5 } });
  });

  test.each([
    ["disabled", "disabled_at = now()", "key_disabled"],
    ["expired", "expiry_date = '2020-01-01'", "key_expired"],
    ["revoked", "revoked_at = now()", "key_not_found"],
  ])("the key is %s", async (_, set, verdict) => {
    await makeKnown();
    await change("api_key", set, "id", on.key.id);
    expect(await authorize()).toMatchObject({ verdict });
  });

  test("the account is disabled, and enabled", async () => {
    await makeKnown();
    await change("account", "disabled_at = now()", "id", on.accountId);
    expect(await authorize()).toMatchObject({ verdict: "account_disabled" });
    await change("account", "disabled_at = NULL", "id", on.accountId);
    expect(await authorize()).toMatchObject({ verdict: "granted" });
  });

  test("the value is rotated: the new one is good at once, the old one for its time of grace", async () => {
    await makeKnown();
    const values = [on.key.apikey];
    const rotate = async (graceSeconds: number) => {
      const { value } = makeKeyValue("sk-");
      const rotation = { apikeyId: on.key.id, hash: hashKeyValue(value), graceSeconds };
      await rotateSecret(on.databases[0] as Database, on.accountId, by, rotation);
      on.key = { ...on.key, apikey: value };
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
    for (let i = 0; i < 2; i++) await authorize({ names: { apikeyId: on.key.id } });
    expect(await verdicts()).toEqual(["granted", "granted"]);
    await rotate(0);
    expect(await verdicts()).toEqual(["key_not_found", "key_not_found", "granted"]);
  });

  test("a value that ended without being presented does not keep the key from being known", async () => {
    await makeKnown();
    const { value } = makeKeyValue("sk-");
    const rotation = { apikeyId: on.key.id, hash: hashKeyValue(value), graceSeconds: 2 };
    await rotateSecret(on.databases[0] as Database, on.accountId, by, rotation);
    for (let i = 0; i < 2; i++) await authorize();
    await putClock("2026-11-23T12:00:05Z");
    await makeKnown({ names: { apikeyId: on.key.id } });
  });

  test("an authorization is captured, voided, or made for the same request elsewhere", async () => {
    const [first, second] = [await makeKnown(), await authorize()];
    await capture(first, 3, on.other);
    expect(await capture(first, 4)).toMatchObject({ settled: { captured: 3 }, isNew: false });
    await makeKnown();
    await on.other.void(on.accountId, second.authorizationId ?? "");
    expect(await capture(second)).toMatchObject({ settled: { state: "voided" }, isNew: false });
    await makeKnown();
    const elsewhere = await authorize({ at: on.other, requestId: "r" });
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
  const at = new Authorizer(on.databases[0] as Database, { maxOpenHolds: 3 });
  for (let i = 0; i < 3; i++) await authorize({ at, ttlSeconds: 5 });
  const end = Date.parse("2026-11-23T12:00:06Z") / 1000;
  for (const time of ["12:00:00.700", "12:00:05.600"]) {
    await on.clock.set(new Date(`2026-11-23T${time}Z`));
    expect(await authorize({ at })).toMatchObject({ verdict: "open_holds", refusal: { resets_at: end } });
  }
  await on.clock.set(new Date("2026-11-23T12:00:05.800Z"));
  expect(await authorize({ at })).toMatchObject({ verdict: "granted" });
});

test("at the end of a day, its limit is the one of the next", async () => {
  await change("api_key", "daily_limit = 40", "id", on.key.id);
  await putClock("2026-11-23T23:59:58.999Z");
  await makeKnown();
  expect(await authorize({ amount: 20 })).toMatchObject({ verdict: "daily_limit" });
  await putClock("2026-11-24T00:00:00Z");
  expect(await authorize({ amount: 20 })).toMatchObject({ verdict: "granted", left: { daily_limit: 20 } });
});

test("a clock that is put back over the end of a day that the key never came to", async () => {
  await change("api_key", "daily_limit = 15", "id", on.key.id);
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

test("versions that another server has counted are not compared with those of this one", async () => {
  const { version, account_version, server } = await readVersions();
  // The second is read for each attempt, because it may end between the two statements.
  const areKnown = async (since: string | null, ofKey = version) => {
    const [found] = (await database.pool.query("SELECT floor(date_part('epoch', now()))::text AS second")).rows;
    const lists = [on.accountId, on.key.id, ofKey, account_version].map((each) => `{${each}}`);
    const [row] = await runOnPool(database.spendPool, LOCK_KNOWN_KEYS, [...lists, found.second, since, null]);
    return row?.are_known;
  };
  await expect.poll(() => areKnown(server)).toBe(true);
  expect(await areKnown(String(Number(server) - 1))).toBe(false);
  expect(await areKnown(server, String(Number(version) + 1))).toBe(false);
  // What is not known to be the same is another one.
  expect(await areKnown(null)).toBe(false);
});
