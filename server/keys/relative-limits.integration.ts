import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Prisma } from "@/prisma/generated/client";
import type { Transaction } from "../db/client";
import { insertGroup } from "../groups/queries";
import { newObjectId } from "../input/new-object-id";
import { relativeValue } from "../limits/columns";
import { operationOf, type RelativeChange, relativeChange } from "../limits/relative";
import { limitFields } from "../limits/schema";
import { database, newAccount } from "../testing/database";
import { changeKeysOfGroup } from "./change-queries";
import { limitsChange } from "./key-change";
import { restoreLargely } from "./restore-queries";

// The rule of relative changes is an expression of the database. Here it is compared with the same rule in whole numbers:
// units of 10^-9 yuan, and factors of 10^-21, so that nothing is rounded but once.

const UNITS = 10n ** 9n;
const LARGEST = 10n ** 24n;

/** A number as a whole count of 10^-decimals. */
function wholeOf(value: number, decimals: number): bigint {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const shift = decimals - fraction.length + Number(exponent);
  return shift >= 0 ? BigInt(whole + fraction) * 10n ** BigInt(shift) : NaNBigInt();
}

function NaNBigInt(): never {
  throw new RangeError("more decimals than the test can count");
}

function halfEven(dividend: bigint, divisor: bigint): bigint {
  const [quotient, rest] = [dividend / divisor, dividend % divisor];
  const up = 2n * rest > divisor || (2n * rest === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

const clamp = (units: bigint) => (units < 1n ? 1n : units > LARGEST ? LARGEST : units);

/** The rule: units before, units after; null is unset. */
function expectedAfter(before: bigint | null, change: RelativeChange): bigint | null {
  const [operation, number] = operationOf(change);
  const isUnlimited = before === null || before === 0n;
  if (operation === "at_most") {
    const most = wholeOf(number, 9);
    return isUnlimited || before > most ? most : before;
  }
  if (isUnlimited) return before;
  if (operation === "at_least") return before < wholeOf(number, 9) ? wholeOf(number, 9) : before;
  if (operation === "add") return clamp(before + wholeOf(number, 9));
  return clamp(halfEven(before * wholeOf(number, 30), 10n ** 30n));
}

function decimalOf(units: bigint): string {
  return `${units / UNITS}.${String(units % UNITS).padStart(9, "0")}`;
}

async function after(cases: [string | null, RelativeChange][]): Promise<(string | null)[]> {
  const expressions = cases.map(
    (
      [before, change],
      n,
    ) => Prisma.sql`SELECT ${n}::int AS n, ${relativeValue(Prisma.raw("value"), change)}::text AS after
      FROM (SELECT ${before}::numeric AS value) AS one`,
  );
  const rows = await database.prisma.$queryRaw<{ after: string | null }[]>`
    SELECT after FROM (${Prisma.join(expressions, " UNION ALL ")}) AS all_cases ORDER BY n`;
  return rows.map((row) => row.after);
}

const amount = fc
  .oneof(
    fc.double({ min: 1e-9, max: 1e15, noNaN: true }),
    fc.double({ min: 1e-9, max: 10, noNaN: true }),
    fc.integer({ min: 1, max: 1000 }),
  )
  .map((value) => limitFields.budget.parse(value));
const before = fc.oneof(
  { arbitrary: fc.constantFrom(null, 0n, 1n, LARGEST), weight: 1 },
  { arbitrary: amount.map((value) => wholeOf(value, 9)), weight: 6 },
);
const change = fc
  .oneof(
    fc.record({
      multiply: fc.oneof(
        fc.constantFrom(0.5, 1.5, 1.2, 0.8, 1, 1e-9, 1e6),
        fc.double({ min: 1e-9, max: 1e6, noNaN: true }),
      ),
    }),
    fc.record({ add: fc.tuple(amount, fc.boolean()).map(([value, isLess]) => (isLess ? -value : value)) }),
    fc.record({ at_least: amount }),
    fc.record({ at_most: amount }),
  )
  .map((sent) => relativeChange.parse(sent));

test("the expression of the database is the rule, to the last unit", async () => {
  for (const cases of fc.sample(fc.array(fc.tuple(before, change), { minLength: 100, maxLength: 100 }), 20)) {
    const sent = cases.map(([units, each]): [string | null, RelativeChange] => [
      units === null ? null : decimalOf(units),
      each,
    ]);
    const found = (await after(sent)).map((text) => (text === null ? null : wholeOfText(text)));
    expect(found).toEqual(cases.map(([units, each]) => expectedAfter(units, each)));
  }
});

/** Units of a decimal text, which may have more digits than a number. */
function wholeOfText(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  const rest = fraction.slice(9);
  if (/[1-9]/.test(rest)) throw new RangeError(`${text} has more than 9 decimals`);
  return BigInt(whole + fraction.slice(0, 9).padEnd(9, "0"));
}

describe("what is promised, case by case", () => {
  test.each<[string | null, RelativeChange, string | null]>([
    ["100", { multiply: 1.2 }, "120"],
    ["0.1", { multiply: 3 }, "0.3"],
    // Half a unit goes to the even unit.
    ["0.000000001", { multiply: 1.5 }, "0.000000002"],
    ["0.000000003", { multiply: 1.5 }, "0.000000004"],
    // A limit never becomes 0, which would be no limit.
    ["0.000000001", { multiply: 0.1 }, "0.000000001"],
    ["5", { add: -5 }, "0.000000001"],
    ["5", { add: -8 }, "0.000000001"],
    ["999999999999999", { multiply: 1000 }, "1000000000000000"],
    // No limit stays no limit.
    [null, { multiply: 2 }, null],
    ["0", { multiply: 2 }, "0"],
    [null, { add: 10 }, null],
    ["0", { at_least: 10 }, "0"],
    // But what is to be at most so much is limited.
    [null, { at_most: 10 }, "10"],
    ["0", { at_most: 10 }, "10"],
    ["7", { at_most: 10 }, "7"],
    ["12", { at_most: 10 }, "10"],
    ["7", { at_least: 10 }, "10"],
    ["12", { at_least: 10 }, "12"],
  ])("%s, %j: %s", async (value, each, wanted) => {
    const [text] = await after([[value, each]]);
    expect(text === null || text === undefined ? text : Number(text)).toBe(wanted === null ? null : Number(wanted));
  });
});

test("an amount of more digits than plain JSON keeps is known again when a change of many keys is undone", async () => {
  const KEYS = 1_100;
  const BUDGET = "123456789.123456789";
  const by = { kind: "command_line", name: "test", address: null } as const;
  const { account_id: accountId } = await newAccount();
  const [groupId, eventId] = [newObjectId(), newObjectId()];
  await insertGroup(database, accountId, by, { id: groupId, name: "Large", description: "" });
  await database.pool.query(
    `INSERT INTO api_key (account_id, id, name, group_id, budget)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'n', $2, $3 FROM generate_series(1, $4::int) AS n`,
    [accountId, groupId, BUDGET, KEYS],
  );
  const budgets = async () => {
    const { rows } = await database.pool.query(
      "SELECT budget::text, count(*)::int FROM api_key WHERE account_id = $1 AND group_id = $2 GROUP BY budget",
      [accountId, groupId],
    );
    return rows;
  };
  const more = limitsChange({ budget: { multiply: 1.5 } });
  const change = (tx: Transaction) => changeKeysOfGroup(tx, accountId, by, groupId, more, { eventId, target: "" });
  expect(await database.prisma.$transaction(change)).toBe(KEYS);
  expect(await budgets()).toEqual([{ budget: "185185183.685185184", count: KEYS }]);
  const undoing = { eventId, keyCount: KEYS, names: ["budget"], after: {}, groupId, isForced: false } as const;
  expect((await restoreLargely(database, accountId, by, undoing, async () => {})).updated).toBe(KEYS);
  expect(await budgets()).toEqual([{ budget: BUDGET, count: KEYS }]);
});
