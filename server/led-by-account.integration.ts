import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { INSERTIONS_ON_ONE_SERVER } from "./authorizations/statements/write-spend";
import { distribute } from "./db/distribute";
import { TABLE_BY_HASH, TABLES_BY_ACCOUNT } from "./db/distributed-tables";
import { listUnplaced } from "./db/distribution";
import { prepareDatabase } from "./db/privileges";
import { statements } from "./statements";
import { database } from "./testing/database";

// A distributed database sends a statement to the one server that has the rows, when it reads the account from the
// statement itself, at each table (docs/decisions/led-by-account.md). PostgreSQL's plan tells what it is told of each table.

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Parent Relationship"?: string;
  Plans?: Plan[];
  [condition: string]: unknown;
}

/** The tables that a plan reads without being told their accounts, or by another parameter than the rest. */
function* unled(plan: Plan): Generator<string> {
  const table = plan["Relation Name"];
  const isRead = table !== undefined && plan["Node Type"] !== "ModifyTable";
  const conditions = ["Index Cond", "Filter", "Recheck Cond"].map((name) => String(plan[name] ?? "")).join(" AND ");
  if (isRead && (TABLES_BY_ACCOUNT as readonly string[]).includes(table)) {
    if (!/\(?account_id\)?(::text)? = (ANY \(\$1\)|\$1\b)/.test(conditions)) yield `${table} by ${conditions}`;
  }
  if (isRead && table === TABLE_BY_HASH && !/hash = ANY \(\$1\)/.test(conditions)) yield `${table} by ${conditions}`;
  if (plan["Node Type"] === "ModifyTable" && table !== undefined) yield* unledInsertion(plan, table);
  for (const part of plan.Plans ?? []) yield* unled(part);
}

/** An insertion goes to the server of the rows that it reads, so it must read some of the account. */
function* unledInsertion(plan: Plan, table: string): Generator<string> {
  if (plan.Operation !== "Insert" || !(TABLES_BY_ACCOUNT as readonly string[]).includes(table)) return;
  if (!readsOfAccount(plan)) yield `${table} from rows that are not read`;
}

function readsOfAccount(plan: Plan): boolean {
  return (plan.Plans ?? []).some(
    (part) =>
      (part["Node Type"] !== "ModifyTable" &&
        (TABLES_BY_ACCOUNT as readonly unknown[]).includes(part["Relation Name"])) ||
      // The rows that a statement asks for in an expression of its own.
      part["Node Type"] === "CTE Scan" ||
      readsOfAccount(part),
  );
}

/** No distributed database gets these. They insert what is listed, and read no table. */
const FOR_ONE_SERVER = Object.values(INSERTIONS_ON_ONE_SERVER).map(({ name }) => name);
const forSeveral = statements.filter(({ name }) => !FOR_ONE_SERVER.includes(name));

test.each(forSeveral.map((statement) => [statement.name, statement.text] as const))(
  "%s: each table of an account is read by the accounts of the first parameter",
  async (_name, text) => {
    const { rows } = await database.pool.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
    expect([...unled(rows[0]["QUERY PLAN"][0].Plan)]).toEqual([]);
  },
);

test("every table with an account is in the list, or is known to stay whole", async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'account_id'
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const whole = ["passkey", "session", "sign_in_method", "two_factor"];
  expect(rows.map(({ name }) => name)).toEqual([...TABLES_BY_ACCOUNT, TABLE_BY_HASH, ...whole].sort());
});

/** A database on the coordinator of a Citus cluster (CONTRIBUTING.md). */
const { CITUS_URL } = process.env;

/** They read and write what stays on the coordinator. */
const LOCAL = ["count-attempt", "find-gateways", "note-gateway-use", "find-session", "read-operator-prices"];
/** They write the route of a value and the rest of the key, which may be on two servers; the last is for one server alone. */
const ON_TWO = ["insert-keys", "insert-keys-waiting", "insert-keys-ungrouped"];

const ACCOUNT = "0123456789abcdef01234567";
const VALUES: Record<string, unknown> = {
  text: ACCOUNT,
  bytea: Buffer.alloc(32),
  numeric: 1,
  integer: 1,
  date: "2026-11-22",
  boolean: true,
};

/** A value of a type, or an array of one, for a statement that asks for the rows of one account. */
function sampleOf(type: string): unknown {
  return type.endsWith("[]") ? [sampleOf(type.slice(0, -2))] : VALUES[type];
}

if (!CITUS_URL) console.info("CITUS_URL names no coordinator of a Citus cluster: its plans are not tested");

describe.skipIf(!CITUS_URL)("on a Citus cluster", () => {
  const distributed = forSeveral.filter(({ name }) => ![...LOCAL, ...ON_TWO].includes(name));

  const onCoordinator = async (work: (client: Client) => Promise<void>) => {
    await prepareDatabase({ url: String(CITUS_URL), ownerUrl: String(CITUS_URL) });
    const client = new Client({ connectionString: CITUS_URL, application_name: "allowance test" });
    await client.connect();
    try {
      await distribute(client, () => {});
      await work(client);
    } finally {
      await client.end();
    }
  };

  test("each statement is one task of one server", () =>
    onCoordinator(async (client) => {
      const tasks: Record<string, string[]> = {};
      for (const { name, text, parameters } of distributed) {
        const lines = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, parameters.map(sampleOf)).then(
          ({ rows }) => rows.map((row) => row["QUERY PLAN"].trim()),
          ({ message }: Error) => [`Task Count: none, ${message}`],
        );
        tasks[name] = lines.filter((line) => /^Task Count|pull to coordinator|Distributed Subplan/.test(line));
      }
      expect(tasks).toEqual(Object.fromEntries(distributed.map(({ name }) => [name, ["Task Count: 1"]])));
    }));

  test("tables that a newer version has added are brought to their place, with their rows, triggers and keys", () =>
    onCoordinator(async (client) => {
      const id = randomUUID().replaceAll("-", "").slice(0, 24);
      await client.query("INSERT INTO account (id, email) VALUES ($1, $1)", [id]);
      await client.query(
        "INSERT INTO account_price (account_id, id, name, aliases, input_price, output_price) VALUES ($1, $1, 'm', '{}', 1, 2)",
        [id],
      );
      await client.query("INSERT INTO moved_key (account_id, key_id) VALUES ($1, 'sk-AAAAAAA')", [id]);
      expect(await listUnplaced(client)).toEqual([]);
      // As a migration leaves them: on the coordinator alone. One of them refers to `account`, the others to nothing.
      const added = ["model_day", "model_span", "moved_key", "account_price"];
      await client.query("ALTER TABLE account_price DROP CONSTRAINT account_price_account_id_fkey");
      for (const table of added) await client.query("SELECT undistribute_table($1)", [table]);
      await client.query(`ALTER TABLE account_price ADD CONSTRAINT account_price_account_id_fkey
        FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT ON UPDATE NO ACTION`);
      expect(await listUnplaced(client)).toEqual(added);
      const { was_distributed, moved, rows } = await distribute(client, () => {});
      expect([was_distributed, moved]).toEqual([true, added]);
      expect([rows.account_price, rows.moved_key].every((count) => Number(count) >= 1)).toBe(true);
      expect(await listUnplaced(client)).toEqual([]);
      expect(await distribute(client, () => {})).toMatchObject({ was_distributed: true, moved: [] });
      const { rows: kept } = await client.query("SELECT name FROM account_price WHERE account_id = $1", [id]);
      expect(kept).toEqual([{ name: "m" }]);
      const { rows: keys } = await client.query(
        "SELECT conname FROM pg_constraint WHERE contype = 'f' AND conrelid = 'account_price'::regclass",
      );
      expect(keys).toEqual([{ conname: "account_price_account_id_fkey" }]);
      await client.query("DELETE FROM account_price WHERE account_id = $1", [id]);
      await client.query("DELETE FROM moved_key WHERE account_id = $1", [id]);
      await client.query("DELETE FROM account WHERE id = $1", [id]);
    }));
});
