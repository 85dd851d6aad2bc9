import fc from "fast-check";
import { expect, test } from "vitest";
import { keyOfRow } from "../auth/key-owner";
import { decide, type HoldCall, type LockedKey, type StoredAuthorization } from "./decide";
import { quoteCall } from "./quote";

const NO_LIMIT = { limit: null, spent: 0n, held: 0n };
const KEY: LockedKey = {
  ...{ isRevoked: false, isAccountDisabled: false, isDisabled: false, isExpired: false, values: ["value"] },
  ceilings: { input_price_limit: null, output_price_limit: null },
  resetsAt: { daily_limit: 0, monthly_limit: 0, open_holds: null },
  openHolds: { count: 0, most: 1 },
  windows: { budget: NO_LIMIT, daily_limit: NO_LIMIT, monthly_limit: NO_LIMIT },
  ...{ day: "2026-11-22", month: "2026-11-01", now: 0, prices: undefined },
};
const key = keyOfRow({ account_id: "a", key_id: "k" });

const HELD: StoredAuthorization = {
  ...{ id: "h", amount: 1n, state: "held", day: KEY.day, month: KEY.month, expiresAt: 1, isOver: false },
  ...{ captured: null, overrun: false, late: false, quote: null, usage: null },
};

/** No call names an authorization that is stored. */
const NONE = { byId: new Map(), byRequest: new Map() };

/** Up to a million yuan per million tokens, to the last of nine decimals. */
const price = fc.bigInt(0n, 10n ** 15n);
const prices = fc.record({ input: price, output: price, cachedInput: price });

test("a usage within the estimate is never an overrun, whatever the prices are", () => {
  fc.assert(
    fc.property(prices, fc.nat(1e8), fc.nat(1e8), fc.nat(), fc.nat(), fc.nat(), (prices, most, mostOut, a, b, c) => {
      const modelCall = { model: "m", inputTokens: most, maxOutputTokens: mostOut };
      const inPriceList = { id: "", source: "account", name: "m", aliases: [], maxOutputTokens: null } as const;
      const quoted = quoteCall(modelCall, { ...inPriceList, prices, validFrom: "1970-01-01" });
      const ofCall = { requestId: undefined, ttlSeconds: 1, gateway: null, known: undefined, modelCall, ...quoted };
      const hold: HoldCall = { kind: "hold", key, id: "h", value: "value", ...ofCall };
      expect(decide(KEY, [hold], NONE, undefined).outcomes).toMatchObject([{ verdict: "granted" }]);

      const held: StoredAuthorization = { ...HELD, amount: quoted.asked.amount, quote: quoted.quote ?? null };
      const inputTokens = a % (most + 1);
      const cost = { inputTokens, cachedInputTokens: b % (inputTokens + 1), outputTokens: c % (mostOut + 1) };
      const capture = { kind: "capture", key, id: "h", cost } as const;
      const stored = { byId: new Map([["h", held]]), byRequest: new Map() };
      expect(decide(KEY, [capture], stored, 1).outcomes).toMatchObject([{ settled: { overrun: false, usage: cost } }]);
    }),
  );
});

/** A hold by an amount. */
const holdOf = (amount: bigint, ttlSeconds: number): HoldCall => ({
  ...{ kind: "hold", key, id: `of ${amount}`, value: null, ttlSeconds, requestId: undefined, gateway: null },
  ...{ modelCall: undefined, quote: undefined, fault: undefined, known: undefined },
  asked: { amount, input_price: null, output_price: null, isModelUnknown: false, isAmountUnknown: false },
});

test("a refusal ends with the day or the month where the limit as a whole has room for the amount, and with no total budget", () => {
  const resetsAt = { daily_limit: 100, monthly_limit: 200, open_holds: null };
  const used = { limit: 20n, spent: 5n, held: 3n };
  for (const name of ["budget", "daily_limit", "monthly_limit"] as const) {
    const limited = { ...KEY, resetsAt, windows: { ...KEY.windows, [name]: used } };
    const refused = (amount: bigint) => decide(limited, [holdOf(amount, 1)], NONE, undefined).outcomes[0];
    const end = name === "budget" ? null : resetsAt[name];
    expect(refused(12n), name).toMatchObject({ verdict: "granted" });
    for (const amount of [13n, 20n])
      expect(refused(amount)).toMatchObject({ verdict: name, refusal: { resets_at: end } });
    expect(refused(21n)).toMatchObject({ verdict: name, refusal: { resets_at: null } });
  }
});

test("too many holds end with the one that ends first, of those of before and those of the same batch", () => {
  const endOf = (open: number | null, ...ttls: number[]) => {
    const resetsAt = { ...KEY.resetsAt, open_holds: open };
    const limited = { ...KEY, now: 1_000, resetsAt, openHolds: { count: 0, most: ttls.length } };
    const calls = [...ttls, 1].map((ttl) => holdOf(1n, ttl));
    return decide(limited, calls, NONE, undefined).outcomes.at(-1);
  };
  const refused = (resets_at: number) => ({ verdict: "open_holds", refusal: { available: 0, resets_at } });
  expect(endOf(null, 600, 60, 300)).toMatchObject(refused(1_060));
  expect(endOf(1_030, 600, 60)).toMatchObject(refused(1_030));
  expect(endOf(1_090, 60)).toMatchObject(refused(1_060));
});

test("only the first void finds out that a hold has expired", () => {
  const call = { kind: "void", key, id: HELD.id } as const;
  const over = { byId: new Map([[HELD.id, { ...HELD, isOver: true }]]), byRequest: new Map() };
  const expired = { isNew: true, settled: { state: "expired" } };
  expect(decide(KEY, [call, call], over, undefined).outcomes).toMatchObject([expired, { ...expired, isNew: false }]);
  // The next hold, or the upkeep, had released it before.
  const released = { byId: new Map([[HELD.id, { ...HELD, state: "expired" as const }]]), byRequest: new Map() };
  const { outcomes, changes } = decide(KEY, [call], released, undefined);
  expect(outcomes).toMatchObject([{ ...expired, isNew: false }]);
  expect(changes).toMatchObject({ counters: undefined, settled: new Map() });
});
