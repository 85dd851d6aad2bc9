import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAccount } from "@/server/auth/accounts";
import { auditBooks } from "@/server/authorizations/audit-queries";
import { openDatabase } from "@/server/db/client";
import { openEmbedded } from "@/server/db/embedded";
import { dataFolder } from "../data-folder";
import { type Finished, isRunning, type Product, runToEnd, startProduct, type TemporaryFolder } from "../product";
import { superuserUrl } from "../superuser";
import { callAt } from "./client";

let folder: TemporaryFolder;
let product: Product;
let owner: string;
let keys: string[];

beforeAll(async () => {
  folder = await dataFolder("durable");
  product = await startProduct({ env: { DATA_DIR: folder.path } });
  const database = openDatabase(await superuserUrl(folder.path));
  const by = { kind: "command_line", name: "test", address: null } as const;
  const account = { email: "a@example.com", isProven: true, keyPrefix: "sk-", by };
  owner = (await createAccount(database, account)).apikey;
  await database.close();
  keys = await Promise.all(Array.from({ length: 4 }, newKey));
});
/** A test that kills the product may end before it starts it again. */
beforeEach(async () => {
  if (!isRunning(product)) product = await startProduct({ env: { DATA_DIR: folder.path } });
});
afterAll(async () => {
  if (isRunning(product)) await product.stop();
  await folder.remove();
});

const post = (path: string, body: Record<string, unknown>) => callAt(product.url, "POST", path, { key: owner, body });
const newKey = async (): Promise<string> => (await post("/v1/apikeys", { name: "n", budget: 1_000_000 })).body.apikey;
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

/** On each of the keys, 7 yuan are captured and 2 are held. */
async function spendOn(apikeys: readonly string[]): Promise<void> {
  for (const apikey of apikeys) {
    const { body } = await post("/v1/authorizations", { apikey, amount: 10 });
    await post(`/v1/authorizations/${body.authorization_id}/capture`, { amount: 7 });
    await post("/v1/authorizations", { apikey, amount: 2 });
  }
}
const books = () => inDatabase((client) => auditBooks(client, 400));

/** Captures of the load, before something is killed: each client has several behind it and one under way. */
const ENOUGH = 100;

/** 16 clients authorize and capture. `captured` has the acknowledged captures, `statuses` the statuses of all answers. */
function load() {
  const captured = new Map<string, number>();
  const statuses = new Set<number>();
  const run = randomUUID();
  let isOn = true;
  const done = Promise.all(
    Array.from({ length: 16 }, async (_, client) => {
      for (let i = 0; isOn; i++) {
        const apikey = keys[(client + i) % (client % 2 ? 1 : keys.length)];
        const answer = await post("/v1/authorizations", {
          apikey,
          amount: 3,
          request_id: `${run} ${client}-${i}`,
        }).catch(() => undefined);
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
  expect((await books()).differences).toEqual([]);
  const { rows } = await inDatabase((client) =>
    client.query("SELECT authorization_id AS id, amount::float8 AS amount FROM ledger"),
  );
  const recorded = new Map(rows.map(({ id, amount }) => [id, amount]));
  expect([...captured].filter(([id, amount]) => recorded.get(id) !== amount)).toEqual([]);
}

describe("kill -9 under the load of 16 clients: no acknowledged capture is lost, the books agree", () => {
  test("of the server", async () => {
    const { captured, stop } = load();
    await expect.poll(() => captured.size, { interval: 5 }).toBeGreaterThan(ENOUGH);
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
    await expect.poll(() => captured.size, { interval: 5 }).toBeGreaterThan(ENOUGH);
    process.kill(await postmasterPid(), "SIGKILL");
    await expect.poll(() => statuses.has(503)).toBe(true);
    const before = captured.size;
    await expect.poll(() => captured.size).toBeGreaterThan(before + ENOUGH);
    await stop();
    expect([...statuses].sort()).toEqual([200, 503]);
    await expectNothingLost(captured);
  });

  test("of both", async () => {
    const { captured, stop } = load();
    await expect.poll(() => captured.size, { interval: 5 }).toBeGreaterThan(ENOUGH);
    process.kill(await postmasterPid(), "SIGKILL");
    product.process.kill("SIGKILL");
    await once(product.process, "exit");
    await stop();
    product = await startProduct({ env: { DATA_DIR: folder.path } });
    await expectNothingLost(captured);
  });
});

describe("npm run audit:books", () => {
  test("of books in order: what was compared, and exit 0; beside a running server, and by DATABASE_URL", async () => {
    const { counts } = await books();
    const apikeys = [await newKey(), await newKey()];
    await spendOn(apikeys);
    const beside = await audit();
    expect([beside.code, beside.stderr, linesOf(beside)]).toEqual([
      0,
      "",
      [
        {
          ...counts,
          keys: counts.keys + 2,
          authorizations: counts.authorizations + 4,
          open_authorizations: counts.open_authorizations + 2,
          ledger_rows: counts.ledger_rows + 2,
          key_days: counts.key_days + 2,
          spent: (Number(counts.spent) + 14).toFixed(9),
          held: (Number(counts.held) + 4).toFixed(9),
          ledger_from: null,
          differences: 0,
        },
      ],
    ]);
    await inDatabase(async (_, url) => expect(linesOf(await audit({ DATABASE_URL: url }))).toEqual(linesOf(beside)));
  });

  test("finds each difference that is made by hand; without a running server: exit 1, and a line for each", async () => {
    const apikey = await newKey();
    await spendOn([apikey]);
    const key = apikey.slice(0, 10);
    await inDatabase(async (client) => {
      // Turns triggers off, so that the test can write a wrong row.
      await client.query("SET session_replication_role = replica");
      await client.query(`CREATE TEMP TABLE kept AS SELECT * FROM ledger WHERE key_id = '${key}'`);
      const change = async (sql: string) => expect((await client.query(sql)).rowCount, sql).toBe(1);
      // The command runs once, at the end: a start of it for each difference would take most of the time of all specs.
      const found = async (broken: string, repaired: string) => {
        await change(broken);
        const { differences } = await auditBooks(client, 400);
        await change(repaired);
        return differences.map(({ check, apikey_id, expected, found }) => [check, apikey_id === key, expected, found]);
      };
      const ofKey = (table: string, broken: string, repaired: string) => {
        const update = (set: string) =>
          `UPDATE ${table} SET ${set} WHERE ${table === "api_key" ? "id" : "key_id"} = '${key}'`;
        return found(update(broken), update(repaired));
      };
      const nano = "0.000000001";
      expect(await ofKey("api_key", `spent = spent + ${nano}`, `spent = spent - ${nano}`)).toEqual([
        ["spent", true, "7.000000000", "7.000000001"],
      ]);
      expect(await ofKey("api_key", "held = held + 1", "held = held - 1")).toEqual([
        ["held", true, "2.000000000", "3.000000000"],
      ]);
      expect(await ofKey("api_key", "day_held = 0", "day_held = 2")).toEqual([
        ["day_held", true, "2.000000000", "0.000000000"],
      ]);
      expect(await ofKey("api_key", "month_spent = 6", "month_spent = 7")).toEqual([
        ["month_spent", true, "7.000000000", "6.000000000"],
      ]);
      expect(await ofKey("api_key", "open_holds = 2", "open_holds = 1")).toEqual([["open_holds", true, "1", "2"]]);
      expect(await ofKey("api_key", "held_until = NULL", "held_until = now()")).toEqual([
        ["held_until", true, expect.any(String), null],
      ]);
      expect(await ofKey("key_day", "captures = 2", "captures = 1")).toEqual([["key_day.captures", true, "1", "2"]]);
      expect(await ofKey("key_day", "spent = 6", "spent = 7")).toEqual([
        ["spent", true, "6.000000000", "7.000000000"],
        ["day_spent", true, "6.000000000", "7.000000000"],
        ["month_spent", true, "6.000000000", "7.000000000"],
        ["key_day.spent", true, "7.000000000", "6.000000000"],
      ]);
      expect(await ofKey("ledger", "overrun = true", "overrun = false")).toEqual([
        ["ledger", true, expect.stringMatching(/f f$/), expect.stringMatching(/t f$/)],
      ]);
      expect(
        await found(`DELETE FROM ledger WHERE key_id = '${key}'`, "INSERT INTO ledger SELECT * FROM kept"),
      ).toEqual([
        ["key_day.spent", true, "0", "7.000000000"],
        ["key_day.captures", true, "0", "1"],
        ["ledger", true, expect.stringContaining("7.000000000"), null],
      ]);
      expect((await auditBooks(client, 400)).differences).toEqual([]);

      await change(`UPDATE ledger SET late = true WHERE key_id = '${key}'`);
      await change(`INSERT INTO spend_span (account_id, kind, days, first, subject, spent, captures)
        SELECT id, 'group', 5, '2026-11-02', repeat('a', 24), 3, 0 FROM account`);
      await change("INSERT INTO key_count_change (account_id, group_id, keys) SELECT id, '', -1 FROM account");
    });
    await product.stop();
    const finished = await audit();
    const [counts, ...differences] = linesOf(finished);
    expect([finished.code, finished.stderr, counts.differences]).toEqual([1, "", 3]);
    const account_id = expect.stringMatching(/^[0-9a-f]{24}$/);
    const ofGroup = { account_id, apikey_id: null };
    expect(differences).toEqual([
      {
        ...{ check: "ledger", account_id, apikey_id: key, group_id: null, of: expect.stringMatching(/^[0-9a-f]{24}$/) },
        ...{ expected: expect.stringMatching(/f f$/), found: expect.stringMatching(/f t$/) },
      },
      {
        ...{ check: "spend_span.spent", ...ofGroup, group_id: "a".repeat(24), of: "2026-11-02 to 2026-11-06" },
        ...{ expected: "0", found: "3.000000000" },
      },
      {
        ...{ check: "key_count", ...ofGroup, group_id: "", of: null },
        ...{ expected: String(counts.keys), found: String(counts.keys - 1) },
      },
    ]);
    await inDatabase(async (client) => {
      await client.query("SET session_replication_role = replica");
      await client.query("UPDATE ledger SET late = false");
      await client.query("DELETE FROM spend_span WHERE subject = repeat('a', 24)");
      await client.query("INSERT INTO key_count_change (account_id, group_id, keys) SELECT id, '', 1 FROM account");
    });
  });
});

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(folder.path, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
}
