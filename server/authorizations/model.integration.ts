import fc from "fast-check";
import { beforeAll, test } from "vitest";
import type { Database } from "../db/client";
import { Distribution } from "../db/distribution";
import { database } from "../testing/database";
import { type FakeClock, makeFakeClock } from "../testing/fake-clock";
import { Bench, type Step, type Surroundings } from "../testing/spend-bench";
import type { SpendModelRules } from "../testing/spend-model";
import { Authorizer } from "./authorizer";

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

const amount = fc.constantFrom(0, 1, 5, 7.5, 40, 100, 0.1, 0.000000001, 33.333333333, 1e15);
const limit = fc.constantFrom(0, 10, 50, 100.000000001, 1000, 1e15);
// Mostly one of them, so that it decides by what it knows of a key as often as it finds that the other one changed it.
const process = fc.constantFrom(0, 0, 0, 0, 0, 1);
const hold = fc.record({
  kind: fc.constant("hold" as const),
  process,
  amount,
  inputPrice: fc.option(fc.constantFrom(0, 2, 8), { nil: undefined }),
  request: fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined }),
  ttl: fc.constantFrom(1, 600, 86_400),
});
/** A thousandth of a yuan for a token, or so many billionths of a yuan for a million that every cost has to be rounded. */
const price = fc.constantFrom(0n, 1n, 499_999n, 500_000n, 1_500_000n, 2_000_000_000n, 1_000_000_000_000n);
const tokens = fc.constantFrom(0, 1, 2, 3, 1000, 33_333, 500_000);
const holdByModel = fc
  .record({
    hold,
    name: fc.constantFrom("named", "named", "alias", "pattern-a", "pattern-b", "unknown"),
    input: tokens,
    output: tokens,
  })
  .map(({ hold, ...estimate }) => ({ ...hold, estimate }));
const capture = fc.record({ kind: fc.constant("capture" as const), process, which: fc.nat(9), amount });
const captureByUsage = fc
  .record({ capture, input: tokens, cached: tokens, output: tokens })
  .map(({ capture, ...usage }) => ({ ...capture, usage: { ...usage, cached: Math.min(usage.cached, usage.input) } }));
const prices = fc.record({
  kind: fc.constant("prices" as const),
  name: fc.constantFrom("named", "pattern-*"),
  prices: fc.option(fc.record({ input: price, output: price, cached: price }), { nil: undefined, freq: 6 }),
});
const release = fc.record({ kind: fc.constant("void" as const), process, which: fc.nat(9) });
const check = fc.record({ kind: fc.constant("check" as const), process });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: hold },
  { weight: 6, arbitrary: holdByModel },
  { weight: 3, arbitrary: capture },
  { weight: 4, arbitrary: captureByUsage },
  { weight: 2, arbitrary: prices },
  { weight: 2, arbitrary: release },
  { weight: 6, arbitrary: check },
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
      steps: fc.array(fc.oneof(hold, capture, captureByUsage, release, check), { minLength: 2, maxLength: 12 }),
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
function surroundings({ mostAtOnce, rules, servers }: (typeof RUNS)[number]): Surroundings {
  const { maxOpenHolds, captureFactor } = rules;
  const maxCaptureFactor = captureFactor && Number(captureFactor[0]) / Number(captureFactor[1]);
  const sides = databases.map(({ lookUpPool, spendPool, distribution }) => {
    const pools = { lookUpPool, spendPool, distribution: servers === "one server" ? distribution : new Distribution() };
    return new Authorizer(pools, { mostAtOnce, maxOpenHolds, maxCaptureFactor });
  });
  return { clock, sides, database: databases[0] as Database, rules };
}

/** The sizes of batches, the rules that the operator has set, and on how many servers the process takes the rows to be. */
const RUNS: { mostAtOnce: number; rules: SpendModelRules; servers: "one server" | "several servers" }[] = [
  { mostAtOnce: 2, servers: "one server", rules: { maxOpenHolds: 4, captureFactor: undefined } },
  { mostAtOnce: 7, servers: "one server", rules: { maxOpenHolds: 3, captureFactor: [5n, 2n] } },
  { mostAtOnce: 64, servers: "one server", rules: { maxOpenHolds: 8, captureFactor: undefined } },
  { mostAtOnce: 7, servers: "several servers", rules: { maxOpenHolds: 8, captureFactor: undefined } },
];

test.each(RUNS)(
  "random calls, limits and clock steps in batches of $mostAtOnce, on $servers: everything that is stored is what a simple model says, after every step",
  async (run) => {
    const around = surroundings(run);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...BEGINNINGS),
        fc.constantFrom(...ZONES),
        fc.array(step, { minLength: 5, maxLength: 40, size: "max" }),
        async (beginning, zone, steps) => {
          const bench = await Bench.make(around, beginning, zone);
          const prices = { input: 1_000_000_000_000n, output: 2_000_000_000n, cached: 500_000n };
          for (const name of ["named", "pattern-*"]) await bench.take({ kind: "prices", name, prices });
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

test.each(RUNS)(
  "calls of many keys, decided together in batches of $mostAtOnce, on $servers: each key is what its own model says",
  async (run) => {
    const around = surroundings(run);
    // The clock is shared by all keys, so it stands still.
    const callOfOne = fc.oneof(
      { weight: 6, arbitrary: hold },
      { weight: 4, arbitrary: holdByModel },
      { weight: 3, arbitrary: capture },
      { weight: 3, arbitrary: captureByUsage },
      { weight: 2, arbitrary: release },
      { weight: 4, arbitrary: check },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...BEGINNINGS),
        fc.array(fc.array(callOfOne, { minLength: 2, maxLength: 8 }), { minLength: 8, maxLength: 8 }),
        async (beginning, calls) => {
          const benches: Bench[] = [];
          for (const _ of calls) benches.push(await Bench.make(around, beginning, "UTC"));
          const limits = { budget: 100, daily: 50, monthly: 0, inputPrice: 0, days: 9999 };
          const prices = { input: 2_000_000_000n, output: 1_500_000n, cached: 1n };
          for (const bench of benches) {
            await bench.take({ kind: "limits", ...limits });
            await bench.take({ kind: "prices", name: "named", prices });
          }
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
