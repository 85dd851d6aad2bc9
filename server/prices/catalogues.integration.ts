import { randomUUID } from "node:crypto";
import { afterAll, expect, inject, test } from "vitest";
import { openDatabase } from "../db/client";
import { unitsOf } from "../limits/units";
import { database, newAccount } from "../testing/database";
import { type Book, bookOf, OPERATORS_BOOK } from "./book";
import { Catalogues } from "./catalogues";
import { changeCatalogue } from "./change-queries";
import { tariffOf } from "./tariff";

/** Another process, as far as prices go. */
const other = openDatabase(inject("databaseUrl"));
afterAll(() => other.close());

const record = async () => {};
const set = (book: Book, name: string, inputPrice: number) => {
  const tariff = tariffOf({ name, input_price: inputPrice, output_price: 1 });
  return changeCatalogue(database, book, { set: [tariff] }, { isDryRun: false, record });
};

test("two processes see each change of the account's and of the operator's prices at once", async () => {
  const { account_id: id } = await newAccount();
  const name = randomUUID();
  const processes = [new Catalogues(database), new Catalogues(other)];
  const seen = () => Promise.all(processes.map(async (each) => (await each.find(id)).find(name)?.prices.input));
  expect(await seen()).toEqual([undefined, undefined]);
  for (const [book, price] of [
    [OPERATORS_BOOK, 1],
    [OPERATORS_BOOK, 2],
    [bookOf(id), 3],
    [bookOf(id), 4],
  ] as const) {
    expect((await set(book, name, price)).ok).toBe(true);
    expect(await seen()).toEqual([unitsOf(price), unitsOf(price)]);
  }
  const remove = [{ name, validFrom: "1970-01-01" }];
  for (const [book, left] of [
    [bookOf(id), unitsOf(2)],
    [OPERATORS_BOOK, undefined],
  ] as const) {
    await changeCatalogue(database, book, { set: [], remove }, { isDryRun: false, record });
    expect(await seen()).toEqual([left, left]);
  }
});

test("changes at once of the same prices: each is whole, and the last one stays", async () => {
  const { account_id: id } = await newAccount();
  const prices = Array.from({ length: 8 }, (_, i) => i + 1);
  const outcomes = await Promise.all(prices.map((price) => set(bookOf(id), "m", price)));
  const changes = outcomes.flatMap((outcome) => (outcome.ok ? outcome.changes : []));
  expect(changes.filter(({ change }) => change === "created")).toHaveLength(1);
  const before = changes.map((change) => change.before?.input_price ?? 0);
  const after = changes.map((change) => change.after?.input_price);
  // Each one follows the one before it: nothing is overwritten that nobody has seen.
  expect(new Set(before).size).toBe(prices.length);
  const [last] = after.filter((price) => !before.includes(price ?? 0));
  const found = (await new Catalogues(database).find(id)).find("m");
  expect(found?.prices.input).toBe(unitsOf(last ?? 0));
});
