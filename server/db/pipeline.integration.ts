import type { EventEmitter } from "node:events";
import type { PoolClient } from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { arrayParameter } from "./array-parameter";
import { type Database, openDatabase } from "./client";
import { BEGIN, bound, COMMIT, runOnPool, sendTogether } from "./pipeline";
import { statement } from "./statement";

interface Value {
  number: number;
  text: string | null;
  list: string[];
  json: { a: number } | null;
}

const VALUES = statement<Value>(
  "test-values",
  ["integer", "text"],
  `SELECT $1::int + n AS number, $2::text AS text, ARRAY['a b', $2::text] AS list, CASE WHEN n = 1 THEN '{"a": 1}'::json END AS json
    FROM generate_series(1, $1::int) AS n`,
);
const DIVIDE = statement<{ quotient: number }>("test-divide", ["integer"], "SELECT 1 / $1::int AS quotient");
const NOTE = statement<{ note: string }>("test-note", ["text"], "SELECT set_config('test.note', $1, false) AS note");
const READ_NOTE = statement<{ note: string }>(
  "test-read-note",
  [],
  "SELECT current_setting('test.note', true) AS note",
);

const SET_NOTHING = statement<never>("test-set-nothing", [], "SET LOCAL test.note = ''");
const ONE = statement<{ one: number }>("test-one", [], "SELECT 1 AS one");

const named = openDatabase(inject("databaseUrl"));
const unnamed = openDatabase(inject("databaseUrl"), { usesNames: false });
afterAll(() => Promise.all([named.close(), unnamed.close()]));

/** Works on one connection, and returns how many answers PostgreSQL ended with a ReadyForQuery meanwhile. */
async function countPieces({ spendPool }: Database, work: (client: PoolClient) => Promise<void>): Promise<number> {
  const client = await spendPool.connect();
  let pieces = 0;
  const count = () => {
    pieces++;
  };
  const { connection } = client as PoolClient & { connection: EventEmitter };
  connection.on("readyForQuery", count);
  try {
    await work(client);
  } finally {
    connection.off("readyForQuery", count);
    client.release();
  }
  return pieces;
}

for (const [title, db] of [
  ["with names", named],
  ["behind a pooler, without names", unnamed],
] as const) {
  test(`each statement has its own rows, also when it is sent again: ${title}`, async () => {
    await countPieces(db, async (client) => {
      for (const round of [1, 2]) {
        const [begun, values, nothing, quotients, same] = await sendTogether(client, [
          BEGIN,
          bound(VALUES, ["2", null]),
          undefined,
          bound(DIVIDE, ["1"]),
          bound(VALUES, ["1", `round ${round}`]),
        ]);
        expect(begun).toEqual([]);
        expect(values).toEqual([
          { number: 3, text: null, list: ["a b", null], json: { a: 1 } },
          { number: 4, text: null, list: ["a b", null], json: null },
        ]);
        expect(nothing).toEqual([]);
        expect(quotients).toEqual([{ quotient: 1 }]);
        expect(same).toEqual([{ number: 2, text: `round ${round}`, list: ["a b", `round ${round}`], json: { a: 1 } }]);
        expect(await sendTogether(client, [COMMIT])).toEqual([[]]);
      }
    });
  });

  test(`the first error ends all, and the connection is as good as before: ${title}`, async () => {
    await countPieces(db, async (client) => {
      const failing = [BEGIN, bound(NOTE, ["before"]), bound(DIVIDE, ["0"]), bound(READ_NOTE, []), COMMIT] as const;
      await expect(sendTogether(client, failing)).rejects.toMatchObject({ code: "22012" });
      await client.query("ROLLBACK");
      // It was sent behind the error, so PostgreSQL does not know its name.
      const [, read, ...rest] = await sendTogether(client, [BEGIN, bound(READ_NOTE, []), bound(DIVIDE, ["1"]), COMMIT]);
      expect(read?.[0]?.note || null).toBeNull();
      expect(rest).toEqual([[{ quotient: 1 }], []]);
    });
  });

  test(`one statement on a pool: its rows, or its error, after which the pool is as good as before: ${title}`, async () => {
    expect(await runOnPool(db.spendPool, DIVIDE, ["2"])).toEqual([{ quotient: 0 }]);
    expect(await runOnPool(db.spendPool, DIVIDE, ["1"])).toEqual([{ quotient: 1 }]);
    const connections = db.spendPool.totalCount;
    await expect(runOnPool(db.spendPool, DIVIDE, ["0"])).rejects.toMatchObject({
      code: "22012",
      stack: expect.stringContaining("pipeline.integration.ts"),
    });
    expect(db.spendPool.totalCount).toBe(connections - 1);
    const rows = await Promise.all(
      Array.from({ length: 50 }, (_, i) => runOnPool(db.spendPool, VALUES, ["1", `text ${i}`])),
    );
    expect(rows.map(([row]) => row?.text)).toEqual(Array.from({ length: 50 }, (_, i) => `text ${i}`));
    expect(db.spendPool.idleCount).toBe(db.spendPool.totalCount);
  });
}

test("PostgreSQL reads the values of an array parameter as they are", async () => {
  const texts = ["plain", 'a"b', "a\\b", '\\"', "{x}", "a,b", "", "NULL", "é \n", null];
  const bytes = [Buffer.from([0, 92, 34, 255]), Buffer.alloc(0)];
  const { rows } = await named.pool.query("SELECT $1::text[] AS texts, $2::bytea[] AS bytes", [
    arrayParameter(texts),
    arrayParameter(bytes),
  ]);
  expect(rows).toEqual([{ texts, bytes }]);
});

test("all statements of a piece have one answer", async () => {
  const statements = [BEGIN, bound(DIVIDE, ["1"]), bound(VALUES, ["2", "a"]), COMMIT] as const;
  const pieces = await countPieces(named, async (client) => {
    await sendTogether(client, statements);
    await sendTogether(client, statements);
  });
  expect(pieces).toBe(2);
});

test("PostgreSQL is asked once for the columns of a statement, also of one without rows", async () => {
  const described: string[] = [];
  await countPieces(named, async (client) => {
    const { connection } = client as PoolClient & { connection: EventEmitter };
    const note = (name: string) => () => described.push(name);
    const [row, none] = [note("rows"), note("none")];
    connection.on("rowDescription", row).on("noData", none);
    const statements = [bound(SET_NOTHING, []), bound(ONE, [])] as const;
    await sendTogether(client, statements);
    expect(await sendTogether(client, statements)).toEqual([[], [{ one: 1 }]]);
    connection.off("rowDescription", row).off("noData", none);
  });
  expect(described).toEqual(["none", "rows"]);
});

test("pieces of two callers on one connection have their own answers", async () => {
  await countPieces(named, async (client) => {
    const answers = await Promise.allSettled([
      sendTogether(client, [bound(DIVIDE, ["1"]), bound(VALUES, ["1", "first"])]),
      sendTogether(client, [bound(DIVIDE, ["0"])]),
      sendTogether(client, [bound(VALUES, ["1", "third"]), bound(DIVIDE, ["1"])]),
    ]);
    expect(answers).toMatchObject([
      { value: [[{ quotient: 1 }], [{ text: "first" }]] },
      { reason: { code: "22012" } },
      { value: [[{ text: "third" }], [{ quotient: 1 }]] },
    ]);
  });
});

test("a connection that ends fails the piece that waits on it", async () => {
  const client = await named.spendPool.connect();
  try {
    const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
    const sleep = { text: "SELECT pg_sleep(600)", values: [] };
    const waiting = expect(sendTogether(client, [BEGIN, sleep, COMMIT])).rejects.toMatchObject({ code: "57P01" });
    await named.pool.query("SELECT pg_terminate_backend($1)", [rows[0].pid]);
    await waiting;
    await expect(sendTogether(client, [bound(DIVIDE, ["1"])])).rejects.toThrow();
  } finally {
    client.release(true);
  }
});
