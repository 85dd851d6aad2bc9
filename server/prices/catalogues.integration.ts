import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, expect, inject, test } from "vitest";
import { Authorizer } from "../authorizations/authorizer";
import { openDatabase } from "../db/client";
import { unitsOf } from "../limits/units";
import { database, newAccount, newKey } from "../testing/database";
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

test("a standby that was promoted gives the same version to other prices: those before are forgotten", async () => {
  const { account_id: id } = await newAccount();
  const key = await newKey(id);
  const schema = `start_${randomBytes(6).toString("hex")}`;
  await database.pool.query(`CREATE SCHEMA ${schema}`);
  await database.pool.query(`CREATE TABLE ${schema}.start AS SELECT pg_catalog.pg_postmaster_start_time() AS time`);
  await database.pool.query(
    `CREATE FUNCTION ${schema}.pg_postmaster_start_time() RETURNS timestamptz STABLE LANGUAGE sql
      AS 'SELECT time FROM ${schema}.start'`,
  );
  const url = new URL(inject("databaseUrl"));
  url.searchParams.set("options", `-c search_path=${schema},pg_catalog,public`);
  const promoted = openDatabase(url.href);
  try {
    const catalogues = new Catalogues(promoted);
    const authorizer = new Authorizer(promoted, { maxOpenHolds: 1000 }, catalogues);
    const call = { model: "m", inputTokens: 1_000_000, maxOutputTokens: 0, requestId: undefined, ttlSeconds: 60 };
    const charged = async () => {
      const answers = [];
      for (let n = 0; n < 2; n++)
        answers.push((await authorizer.authorize({ apikey: key.apikey, ...call }, id)).amount);
      return [(await catalogues.find(id)).find("m")?.prices.input, ...answers];
    };
    const expectCharged = async (price: number) => expect(await charged()).toEqual([unitsOf(price), price, price]);
    await set(bookOf(id), "m", 1);
    await set(bookOf(id), "m", 2);
    await expectCharged(2);
    // The last change is lost.
    await database.pool.query("UPDATE account_price SET input_price = 1 WHERE account_id = $1", [id]);
    await database.pool.query("UPDATE account SET prices_version = 1 WHERE id = $1", [id]);
    await database.pool.query(`UPDATE ${schema}.start SET time = time + interval '1 minute'`);
    await expectCharged(1);
    await set(bookOf(id), "m", 20);
    await expectCharged(20);
  } finally {
    await promoted.close();
  }
});
