import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { hashKeyValue, makeKeyValue } from "../keys/key-value";
import { limitsOf } from "../limits/apply";
import { database, keyInsertion, newAccount } from "../testing/database";
import { type FakeClock, makeFakeClock } from "../testing/fake-clock";
import { type ModelCall, SpendModel, sum, toDecimal, toNano } from "../testing/spend-model";
import { type Answer, Authorizer } from "./authorizer";
import { checkLimits } from "./judge";
import { releaseExpired } from "./statements/release-expired";

const ZONES = ["Asia/Shanghai", "UTC", "America/New_York"];
/** Just before a day, a month or a year ends somewhere, or a clock is put forward or back. */
const BEGINNINGS = [
  "2026-03-08T04:59:59Z",
  "2026-03-08T06:59:59Z",
  "2026-03-09T03:59:59Z",
  "2026-10-31T15:59:59Z",
  "2026-11-01T03:59:59Z",
  "2026-11-01T05:59:59Z",
  "2026-12-31T23:59:59Z",
  "2028-02-28T15:59:59Z",
];
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

type Step =
  | {
      kind: "hold";
      process: number;
      amount: number;
      inputPrice: number | undefined;
      request: string | undefined;
      ttl: number;
    }
  | { kind: "capture"; process: number; which: number; amount: number }
  | { kind: "void"; process: number; which: number }
  | { kind: "limits"; budget: number; daily: number; monthly: number; inputPrice: number; days: number }
  | { kind: "disabled"; isDisabled: boolean }
  | { kind: "zone"; zone: string }
  | { kind: "clock"; by: number }
  | { kind: "tidy" }
  | { kind: "at once"; steps: Step[] };

const amount = fc.constantFrom(0, 1, 5, 7.5, 40, 100, 0.1, 0.000000001, 33.333333333, 1e15);
const limit = fc.constantFrom(0, 10, 50, 100.000000001, 1000, 1e15);
const process = fc.nat(1);
const hold = fc.record({
  kind: fc.constant("hold" as const),
  process,
  amount,
  inputPrice: fc.option(fc.constantFrom(0, 2, 8), { nil: undefined }),
  request: fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined }),
  ttl: fc.constantFrom(1, 600, 86_400),
});
const capture = fc.record({ kind: fc.constant("capture" as const), process, which: fc.nat(9), amount });
const release = fc.record({ kind: fc.constant("void" as const), process, which: fc.nat(9) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: hold },
  { weight: 5, arbitrary: capture },
  { weight: 2, arbitrary: release },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("limits" as const),
      budget: limit,
      daily: limit,
      monthly: limit,
      inputPrice: fc.constantFrom(0, 0, 2),
      days: fc.constantFrom(9999, 9999, 9999, -1, 0, 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("disabled" as const), isDisabled: fc.constantFrom(false, false, true) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("zone" as const), zone: fc.constantFrom(...ZONES) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("clock" as const),
      by: fc.constantFrom(SECOND, 599 * SECOND, 601 * SECOND, HOUR, DAY, 31 * DAY, -SECOND, -HOUR, -DAY, -31 * DAY),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("tidy" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("at once" as const),
      steps: fc.array(fc.oneof(hold, capture, release), { minLength: 2, maxLength: 12 }),
    }),
  },
);

let clock: FakeClock;
let databases: Database[];
beforeAll(async () => {
  clock = await makeFakeClock(database);
  databases = [clock.open(), clock.open()];
  return async () => {
    for (const db of databases) await db.close();
  };
});

/** Two authorizers, each with connections and a memory of its own, as two processes have them. */
const twoSides = (mostAtOnce: number) => databases.map((db) => new Authorizer(db, { mostAtOnce }));

/** One key, and the model of it. */
class Bench {
  static async make(sides: Authorizer[], beginning: string, zone: string): Promise<Bench> {
    const account = await newAccount();
    const accountId = account.account_id;
    const { id, value } = makeKeyValue("sk-");
    const by = { kind: "command_line", name: "test", address: null } as const;
    const limits = limitsOf({});
    await keyInsertion.insert(accountId, by, { id, hash: hashKeyValue(value), name: "n", groupId: null, limits });
    const bench = new Bench(sides, accountId, id, value, new SpendModel(Date.parse(beginning), zone));
    await bench.take({ kind: "zone", zone });
    await bench.take({ kind: "clock", by: 0 });
    return bench;
  }

  private constructor(
    private readonly sides: Authorizer[],
    private readonly accountId: AccountId,
    private readonly keyId: string,
    private readonly value: string,
    private readonly model: SpendModel,
  ) {}

  async take(step: Step): Promise<void> {
    const { model } = this;
    switch (step.kind) {
      case "hold": {
        const call = callOf(step);
        const expected = model.judge(call);
        const check = await this.check(step);
        const answer = await this.authorize(step);
        expect(answer.verdict).toBe(expected.verdict);
        // A replayed request is allowed even if the limits are lower now. A check takes no request_id, so it may differ.
        if (expected.verdict !== "replayed") expect(check ?? "granted").toBe(expected.verdict);
        if (expected.verdict === "granted") {
          model.grant(answer.authorizationId ?? "", call);
          expect(answer.expiresAt).toBe(Math.floor(expected.expiresAt / 1000));
        } else if (expected.verdict === "replayed") {
          expect(answer.authorizationId).toBe(expected.authorization.id);
          expect(toNano(answer.replayedAmount ?? -1)).toBe(expected.authorization.amount);
        } else {
          model.refuse(expected.verdict);
        }
        const left = model.left();
        expect([answer.left.budget, answer.left.daily_limit, answer.left.monthly_limit]).toEqual(
          [left.budget, left.daily, left.monthly].map((nano) => (nano === null ? null : Number(toDecimal(nano)))),
        );
        return;
      }
      case "capture": {
        const authorization = this.pick(step.which);
        if (!authorization) return;
        const counts = model.capture(authorization, toNano(step.amount));
        const settlement = await this.side(step).capture(this.accountId, { id: authorization.id, amount: step.amount });
        expect(settlement).toMatchObject({ isNew: counts, settled: this.settled(authorization) });
        return;
      }
      case "void": {
        const authorization = this.pick(step.which);
        if (!authorization) return;
        model.void(authorization);
        const settlement = await this.side(step).void(this.accountId, authorization.id);
        expect(settlement).toMatchObject({ settled: this.settled(authorization) });
        return;
      }
      case "limits": {
        const { budget, daily, monthly, inputPrice, days } = step;
        const expiryDate =
          days === 9999 ? null : new Date(Date.parse(model.today()) + days * DAY).toISOString().slice(0, 10);
        model.limits = {
          budget: toNano(budget),
          daily: toNano(daily),
          monthly: toNano(monthly),
          inputPrice: toNano(inputPrice),
          expiryDate,
        };
        await this.change(
          "budget = NULLIF($3::numeric, 0), daily_limit = $4, monthly_limit = $5, input_price_limit = $6, expiry_date = $7",
          [budget, daily, monthly, inputPrice, expiryDate],
        );
        return;
      }
      case "disabled":
        model.isDisabled = step.isDisabled;
        await this.change("disabled_at = CASE WHEN $3::boolean THEN now() END", [step.isDisabled]);
        return;
      case "zone":
        model.zone = step.zone;
        await database.pool.query("UPDATE account SET time_zone = $2 WHERE id = $1", [this.accountId, step.zone]);
        return;
      case "clock":
        model.time += step.by;
        await clock.set(new Date(model.time));
        return;
      case "tidy":
        model.expire();
        await releaseExpired((databases[0] as Database).lookUpPool, { accountId: this.accountId, keyId: this.keyId });
        return;
      case "at once":
        await this.takeAtOnce(step.steps);
    }
  }

  /** The order of these calls is unknown, so only their common result is compared. */
  private async takeAtOnce(steps: Step[]): Promise<void> {
    const { model } = this;
    const done = await Promise.all(
      steps.map(async (step) => {
        if (step.kind === "hold") return { step, answer: await this.authorize(step) };
        if (step.kind !== "capture" && step.kind !== "void") throw new Error(step.kind);
        const authorization = this.pick(step.which);
        if (!authorization) return { step };
        const { id } = authorization;
        return step.kind === "capture"
          ? {
              step,
              authorization,
              settlement: await this.side(step).capture(this.accountId, { id, amount: step.amount }),
            }
          : { step, authorization, settlement: await this.side(step).void(this.accountId, id) };
      }),
    );
    const before = new Set(model.authorizations);
    let exceeding = false;
    let releasing = false;
    for (const { step, authorization, settlement } of done) {
      if (!authorization || !settlement?.ok || !settlement.isNew) continue;
      releasing = true;
      if (step.kind === "capture") {
        exceeding = true;
        expect(model.capture(authorization, toNano(step.amount))).toBe(true);
      } else model.void(authorization);
    }
    if (done.some(({ answer }) => answer)) {
      const open = model.held();
      model.expire();
      releasing ||= model.held() !== open;
    }
    for (const { step, answer } of done) {
      if (answer?.verdict === "granted" && step.kind === "hold")
        model.grant(answer.authorizationId ?? "", callOf(step));
    }
    const left = model.left();
    const isGranted = done.some(({ step, answer }) => answer?.verdict === "granted" && step.kind === "hold");
    for (const each of [left.budget, left.daily, left.monthly]) {
      if (isGranted && !exceeding && each !== null) expect(each >= 0n).toBe(true);
    }
    for (const { step, answer } of done) {
      if (!answer || step.kind !== "hold" || answer.verdict === "granted") continue;
      if (answer.verdict === "replayed") {
        const [known, ...others] = model.authorizations.filter(({ request }) => request === step.request);
        expect([known?.id, others]).toEqual([answer.authorizationId, []]);
        continue;
      }
      model.refuse(answer.verdict);
      const least = { budget: left.budget, daily_limit: left.daily, monthly_limit: left.monthly }[
        answer.verdict as string
      ];
      if (!releasing && least !== undefined) expect(toNano(step.amount) > (least ?? -1n)).toBe(true);
      // A repeated request is never refused.
      expect([...before].filter(({ request }) => request !== undefined && request === step.request)).toEqual([]);
    }
  }

  /** Compares everything that is stored with the model. */
  async compare(): Promise<void> {
    const { model } = this;
    const { rows } = await database.pool.query(
      `SELECT key.spent::text, key.held::text, key.day::text, key.day_spent::text, key.day_held::text,
          key.month::text, key.month_spent::text, key.month_held::text,
          (SELECT coalesce(jsonb_object_agg(id, jsonb_build_array(state, amount::text, captured::text, overrun, late, day)), '{}')
            FROM "authorization" WHERE account_id = $1 AND key_id = $2) AS authorizations,
          (SELECT coalesce(jsonb_object_agg(authorization_id, jsonb_build_array(amount::text, overrun, late, day)), '{}')
            FROM ledger WHERE account_id = $1 AND key_id = $2) AS ledger,
          (SELECT coalesce(jsonb_object_agg(day, jsonb_build_array(spent::text, captures)), '{}')
            FROM key_day WHERE account_id = $1 AND key_id = $2) AS days,
          (SELECT coalesce(jsonb_object_agg(day || ' ' || code, count), '{}')
            FROM refusal_day WHERE account_id = $1 AND key_id = $2) AS refusals
        FROM api_key key WHERE account_id = $1 AND id = $2`,
      [this.accountId, this.keyId],
    );
    const day = model.lastDay;
    const isDay = (other: string) => other === day;
    const isMonth = (other: string) => other.slice(0, 7) === day?.slice(0, 7);
    const captured = model.authorizations.filter(({ state }) => state === "captured");
    const days = [...new Set(captured.map((each) => each.day))];
    expect(rows[0]).toEqual({
      spent: toDecimal(model.spent()),
      held: toDecimal(model.held()),
      day: day ?? null,
      day_spent: toDecimal(model.spent(isDay)),
      day_held: toDecimal(model.held(isDay)),
      month: day === undefined ? null : `${day.slice(0, 7)}-01`,
      month_spent: toDecimal(model.spent(isMonth)),
      month_held: toDecimal(model.held(isMonth)),
      authorizations: Object.fromEntries(
        model.authorizations.map((each) => [
          each.id,
          [
            each.state,
            toDecimal(each.amount),
            each.captured === undefined ? null : toDecimal(each.captured),
            each.overrun,
            each.late,
            each.day,
          ],
        ]),
      ),
      ledger: Object.fromEntries(
        captured.map((each) => [each.id, [toDecimal(each.captured ?? 0n), each.overrun, each.late, each.day]]),
      ),
      days: Object.fromEntries(
        days.map((name) => {
          const of = captured.filter((each) => each.day === name);
          return [name, [toDecimal(sum(of.map((each) => each.captured ?? 0n))), of.length]];
        }),
      ),
      refusals: Object.fromEntries(model.refusals),
    });
  }

  private authorize(step: Step & { kind: "hold" }): Promise<Answer> {
    return this.side(step).authorize(
      {
        apikey: this.value,
        amount: step.amount,
        inputPrice: step.inputPrice,
        outputPrice: undefined,
        requestId: step.request,
        ttlSeconds: step.ttl,
      },
      undefined,
    );
  }

  /** The first obstacle, as a check sees it. */
  private async check(step: Step & { kind: "hold" }): Promise<string | undefined> {
    const { amount, inputPrice } = step;
    const key = await this.side(step).check(this.value, { amount, inputPrice, outputPrice: undefined }, undefined);
    if (!key) return "key_not_found";
    return checkLimits(key.state, key.asked).find(({ passes }) => !passes)?.code;
  }

  private change(set: string, values: unknown[]): Promise<unknown> {
    return database.pool.query(`UPDATE api_key SET ${set} WHERE account_id = $1 AND id = $2`, [
      this.accountId,
      this.keyId,
      ...values,
    ]);
  }

  private pick(which: number) {
    // The later ones are more interesting.
    return this.model.authorizations.at(-1 - which);
  }

  private side({ process }: { process: number }): Authorizer {
    return this.sides[process] as Authorizer;
  }

  private settled({ id, state, captured, overrun, late }: SpendModel["authorizations"][number]) {
    return { id, state, captured: captured === undefined ? null : Number(toDecimal(captured)), overrun, late };
  }
}

function callOf(step: Step & { kind: "hold" }): ModelCall {
  return {
    amount: toNano(step.amount),
    inputPrice: step.inputPrice === undefined ? undefined : toNano(step.inputPrice),
    request: step.request,
    ttlSeconds: step.ttl,
  };
}

test.each([2, 7, 64])(
  "random calls, limits and clock steps in batches of %i: everything that is stored is what a simple model says, after every step",
  async (mostAtOnce) => {
    const sides = twoSides(mostAtOnce);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...BEGINNINGS),
        fc.constantFrom(...ZONES),
        fc.array(step, { minLength: 5, maxLength: 40, size: "max" }),
        async (beginning, zone, steps) => {
          const bench = await Bench.make(sides, beginning, zone);
          for (const each of steps) {
            await bench.take(each);
            await bench.compare();
          }
        },
      ),
      { numRuns: 35 },
    );
  },
  300_000,
);

test.each([2, 7, 64])(
  "calls of many keys, decided together in batches of %i: each key is what its own model says",
  async (mostAtOnce) => {
    const sides = twoSides(mostAtOnce);
    // The clock is shared by all keys, so it stands still.
    const callOfOne = fc.oneof(
      { weight: 8, arbitrary: hold },
      { weight: 5, arbitrary: capture },
      { weight: 2, arbitrary: release },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...BEGINNINGS),
        fc.array(fc.array(callOfOne, { minLength: 2, maxLength: 8 }), { minLength: 8, maxLength: 8 }),
        async (beginning, calls) => {
          const benches: Bench[] = [];
          for (const _ of calls) benches.push(await Bench.make(sides, beginning, "UTC"));
          const limits = { budget: 100, daily: 50, monthly: 0, inputPrice: 0, days: 9999 };
          for (const bench of benches) await bench.take({ kind: "limits", ...limits });
          await Promise.all(
            benches.map(async (bench, i) => {
              for (const each of calls[i] ?? []) await bench.take(each);
            }),
          );
          for (const bench of benches) await bench.compare();
        },
      ),
      { numRuns: 15 },
    );
  },
  300_000,
);
