import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAccount } from "@/server/auth/accounts";
import { auditBooks } from "@/server/authorizations/audit-queries";
import { openDatabase } from "@/server/db/client";
import { openEmbedded } from "@/server/db/embedded";
import { dataFolder } from "../data-folder";
import { type Finished, type Product, runToEnd, startProduct, type TemporaryFolder } from "../product";
import { superuserUrl } from "../superuser";
import { callAt } from "./client";

let folder: TemporaryFolder;
let product: Product;
let owner: string;
let keys: string[];

/** Each test gets a product of its own, with an account and keys. */
function withProduct(): void {
  beforeEach(async () => {
    folder = await dataFolder("durable");
    product = await startProduct({ env: { DATA_DIR: folder.path } });
    const database = openDatabase(await superuserUrl(folder.path));
    const by = { kind: "command_line", name: "test", address: null } as const;
    const account = { email: "a@example.com", isProven: true, keyPrefix: "sk-", by };
    owner = (await createAccount(database, account)).apikey;
    await database.close();
    keys = await Promise.all(
      Array.from({ length: 4 }, async () => (await post("/v1/apikeys", { name: "n", budget: 1_000_000 })).body.apikey),
    );
  });
  afterEach(async () => {
    if (product.process.exitCode === null && product.process.signalCode === null) await product.stop();
    await folder.remove();
  });
}

const post = (path: string, body: Record<string, unknown>) => callAt(product.url, "POST", path, { key: owner, body });
const audit = (env: Record<string, string> = { DATA_DIR: folder.path }) => runToEnd("audit-books", [], { env });
const linesOf = ({ stdout }: Finished) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

async function inDatabase<T>(work: (client: Client, url: string) => Promise<T>): Promise<T> {
  const database = await openEmbedded(folder.path, "command", pino({ level: "silent" }));
  const client = new Client({ connectionString: await superuserUrl(folder.path) });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client, database.url);
  } finally {
    await client.end();
    await database.close();
  }
}

test("npm run audit:books of a database that is away: a clear line, exit 1", async () => {
  const { code, stdout, stderr } = await runToEnd("audit-books", [], {
    env: { DATABASE_URL: "postgresql://a:b@127.0.0.1:1/c" },
  });
  expect([code, stdout, stderr]).toEqual([1, "", "the database cannot be reached; nothing was audited\n"]);
});

describe("npm run audit:books", () => {
  withProduct();

  test("of books in order: what was compared, and exit 0; beside a running server, without one, and by DATABASE_URL", async () => {
    for (const apikey of keys) {
      const { body } = await post("/v1/authorizations", { apikey, amount: 10 });
      await post(`/v1/authorizations/${body.authorization_id}/capture`, { amount: 7.25 });
      await post("/v1/authorizations", { apikey, amount: 1.5 });
    }
    const expected = [
      {
        keys: 5,
        authorizations: 8,
        open_authorizations: 4,
        ledger_rows: 4,
        key_days: 4,
        model_days: 0,
        spent: "29.000000000",
        held: "6.000000000",
        ledger_from: null,
        differences: 0,
      },
    ];
    const beside = await audit();
    expect([beside.code, beside.stderr, linesOf(beside)]).toEqual([0, "", expected]);
    await inDatabase(async (_, url) => expect(linesOf(await audit({ DATABASE_URL: url }))).toEqual(expected));
    await product.stop();
    const without = await audit();
    expect([without.code, linesOf(without)]).toEqual([0, expected]);
  });

  test("finds each difference that is made by hand: exit 1, and a line for each", async () => {
    for (const apikey of keys) {
      const { body } = await post("/v1/authorizations", { apikey, amount: 10 });
      await post(`/v1/authorizations/${body.authorization_id}/capture`, { amount: 7 });
      await post("/v1/authorizations", { apikey, amount: 2 });
    }
    const key = keys[0]?.slice(0, 10);
    // The command runs once, at the end: a start of it for each difference would take most of the time of all specs.
    const found = (sql: string) =>
      inDatabase(async (client) => {
        // Turns triggers off, so that the test can write a wrong row.
        await client.query("SET session_replication_role = replica");
        const { rowCount } = await client.query(sql, [key]);
        expect(rowCount).toBe(1);
        const { differences } = await auditBooks(client, 400);
        return differences.map(({ check, apikey_id, expected, found }) => [check, apikey_id === key, expected, found]);
      });
    const nano = "0.000000001";
    expect(await found(`UPDATE api_key SET spent = spent + ${nano} WHERE id = $1`)).toEqual([
      ["spent", true, "7.000000000", "7.000000001"],
    ]);
    expect(await found(`UPDATE api_key SET spent = spent - ${nano}, held = held + 1 WHERE id = $1`)).toEqual([
      ["held", true, "2.000000000", "3.000000000"],
    ]);
    expect(await found("UPDATE api_key SET held = held - 1, day_held = 0 WHERE id = $1")).toEqual([
      ["day_held", true, "2.000000000", "0.000000000"],
    ]);
    expect(await found("UPDATE api_key SET day_held = 2, month_spent = 6 WHERE id = $1")).toEqual([
      ["month_spent", true, "7.000000000", "6.000000000"],
    ]);
    expect(await found("UPDATE api_key SET month_spent = 7, open_holds = 2 WHERE id = $1")).toEqual([
      ["open_holds", true, "1", "2"],
    ]);
    expect(await found("UPDATE api_key SET open_holds = 1, held_until = NULL WHERE id = $1")).toEqual([
      ["held_until", true, expect.any(String), null],
    ]);
    expect(
      await found(
        "WITH back AS (UPDATE api_key SET held_until = now() WHERE id = $1) UPDATE key_day SET captures = 2 WHERE key_id = $1",
      ),
    ).toEqual([["key_day.captures", true, "1", "2"]]);
    expect(await found("UPDATE key_day SET captures = 1, spent = 6 WHERE key_id = $1")).toEqual([
      ["spent", true, "6.000000000", "7.000000000"],
      ["day_spent", true, "6.000000000", "7.000000000"],
      ["month_spent", true, "6.000000000", "7.000000000"],
      ["key_day.spent", true, "7.000000000", "6.000000000"],
    ]);
    await inDatabase((client) => client.query("UPDATE key_day SET spent = 7 WHERE key_id = $1", [key]));
    expect(await found("UPDATE ledger SET overrun = true WHERE key_id = $1")).toEqual([
      ["ledger", true, expect.stringMatching(/f f$/), expect.stringMatching(/t f$/)],
    ]);
    expect(await found("DELETE FROM ledger WHERE key_id = $1")).toEqual([
      ["key_day.spent", true, "0", "7.000000000"],
      ["key_day.captures", true, "0", "1"],
      ["ledger", true, expect.stringContaining("7.000000000"), null],
    ]);
    const finished = await audit();
    const [counts, ...differences] = linesOf(finished);
    expect([finished.code, finished.stderr, counts.differences]).toEqual([1, "", 3]);
    const at = { account_id: expect.stringMatching(/^[0-9a-f]{24}$/), apikey_id: key };
    expect(differences).toMatchObject([
      { ...at, check: "key_day.spent", of: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), found: "7.000000000" },
      { ...at, check: "key_day.captures", expected: "0", found: "1" },
      { ...at, check: "ledger", of: expect.stringMatching(/^[0-9a-f]{24}$/), found: null },
    ]);
  });
});

/** 16 clients authorize and capture. `captured` has the acknowledged captures, `statuses` the statuses of all answers. */
function load() {
  const captured = new Map<string, number>();
  const statuses = new Set<number>();
  let isOn = true;
  const done = Promise.all(
    Array.from({ length: 16 }, async (_, client) => {
      for (let i = 0; isOn; i++) {
        const apikey = keys[(client + i) % (client % 2 ? 1 : keys.length)];
        const answer = await post("/v1/authorizations", { apikey, amount: 3, request_id: `${client}-${i}` }).catch(
          () => undefined,
        );
        if (answer) statuses.add(answer.status);
        const id = answer?.body.authorization_id;
        if (!id || i % 9 === 0) continue;
        const amount = 1 + (i % 5);
        const settled = await post(`/v1/authorizations/${id}/capture`, { amount }).catch(() => undefined);
        if (settled) statuses.add(settled.status);
        if (settled?.status === 200) captured.set(id.slice(24), amount);
      }
    }),
  );
  return {
    captured,
    statuses,
    stop: () => {
      isOn = false;
      return done;
    },
  };
}

async function expectNothingLost(captured: ReadonlyMap<string, number>) {
  const finished = await audit();
  expect([finished.code, linesOf(finished).slice(1)]).toEqual([0, []]);
  const { rows } = await inDatabase((client) =>
    client.query("SELECT authorization_id AS id, amount::float8 AS amount FROM ledger"),
  );
  const recorded = new Map(rows.map(({ id, amount }) => [id, amount]));
  expect([...captured].filter(([id, amount]) => recorded.get(id) !== amount)).toEqual([]);
}

describe("kill -9 under the load of 16 clients: no acknowledged capture is lost, the books agree", () => {
  withProduct();

  test("of the server", async () => {
    const { captured, stop } = load();
    await expect.poll(() => captured.size, { interval: 5 }).toBeGreaterThan(300);
    product.process.kill("SIGKILL");
    await once(product.process, "exit");
    await stop();
    product = await startProduct({ env: { DATA_DIR: folder.path } });
    await expectNothingLost(captured);
    const { body } = await post("/v1/authorizations", { apikey: keys[0], amount: 1 });
    expect(body.allowed).toBe(true);
  });

  test("of PostgreSQL, and the same server goes on; nothing is allowed while it is away", async () => {
    const { captured, statuses, stop } = load();
    await expect.poll(() => captured.size, { interval: 5 }).toBeGreaterThan(300);
    process.kill(await postmasterPid(), "SIGKILL");
    await expect.poll(() => statuses.has(503)).toBe(true);
    const before = captured.size;
    await expect.poll(() => captured.size).toBeGreaterThan(before + 300);
    await stop();
    expect([...statuses].sort()).toEqual([200, 503]);
    await expectNothingLost(captured);
  });

  test("of both", async () => {
    const { captured, stop } = load();
    await expect.poll(() => captured.size, { interval: 5 }).toBeGreaterThan(300);
    process.kill(await postmasterPid(), "SIGKILL");
    product.process.kill("SIGKILL");
    await once(product.process, "exit");
    await stop();
    product = await startProduct({ env: { DATA_DIR: folder.path } });
    await expectNothingLost(captured);
  });
});

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(folder.path, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
}
