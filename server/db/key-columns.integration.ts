import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { copyMigrations, type OlderDatabase, openOlderDatabase } from "../testing/older-database";
import { migrate } from "./migrate";

/** The migrations that make the table anew, and columns that they place. */
const MIGRATIONS: [string, string[]][] = [
  ["20261126130000_key_columns", ["account_id", "id", "revoked_at", "spent", "last_used_at"]],
  ["20261128080000_search_column", ["account_id", "id", "revoked_at", "spent", "search_text", "monthly_limit", "name"]],
];
const ACCOUNT = "0123456789abcdef01234567";

let older: OlderDatabase;
let role: string;
let pool: Pool;

afterEach(async () => {
  await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await pool.end();
  await older.remove();
});

async function orderOfColumns(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'api_key'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
  );
  return rows.map(({ name }) => name);
}

/** What the database defines about keys, without the order of their columns. */
async function definitions(): Promise<unknown[]> {
  const { rows } = await pool.query(
    `SELECT 'column' AS kind, concat_ws(' ', attname, format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull, attgenerated,
          attstorage, pg_get_expr(adbin, adrelid)) AS what
        FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attrelid = 'api_key'::regclass AND attnum > 0
      UNION ALL SELECT 'constraint', concat_ws(' ', conname, convalidated, pg_get_constraintdef(oid)) FROM pg_constraint
        WHERE conrelid = 'api_key'::regclass
      UNION ALL SELECT 'index', concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid) FROM pg_index WHERE indrelid = 'api_key'::regclass
      UNION ALL SELECT 'trigger', concat_ws(' ', pg_get_triggerdef(oid), tgenabled) FROM pg_trigger
        WHERE tgrelid IN ('api_key'::regclass, 'key_secret'::regclass) AND NOT tgisinternal
      UNION ALL SELECT 'table', concat_ws(' ', relname, relowner, reloptions, privilege)
        FROM pg_class LEFT JOIN LATERAL (
          SELECT given.grantee::regrole || ' ' || given.privilege_type AS privilege FROM aclexplode(relacl) AS given
        ) AS privileges ON true WHERE oid IN ('api_key'::regclass, 'key_secret'::regclass)
      UNION ALL SELECT 'view', pg_get_viewdef('key_secret'::regclass)
      ORDER BY 1, 2`,
  );
  return rows;
}

describe.each(MIGRATIONS)("%s", (migration, placed) => {
  /** A database with the migrations before it, and a role that may use some of it. */
  beforeEach(async () => {
    older = await openOlderDatabase((each) => each < migration);
    role = `key_columns_${randomBytes(6).toString("hex")}`;
    pool = new Pool({ connectionString: older.url });
    pool.on("error", () => {});
    await pool.query(`CREATE ROLE ${role}`);
    await pool.query(`GRANT SELECT, UPDATE ON api_key TO ${role}; GRANT SELECT ON key_secret TO ${role}`);
    await pool.query("INSERT INTO account (id, email) VALUES ($1, 'a@example.com')", [ACCOUNT]);
  });

  /** Applies it, and returns the names of those that were applied. */
  async function applyIt(): Promise<string[]> {
    await copyMigrations(older.migrations, (each) => each === migration);
    return migrate(older.url, older.migrations);
  }

  test("a table without keys has the new order, and nothing else about it changes", async () => {
    const before = await definitions();
    expect(await applyIt()).toEqual([migration]);
    expect(await definitions()).toEqual(before);
    expect((await orderOfColumns()).filter((name) => placed.includes(name))).toEqual(placed);
  });

  test("a table with a key stays as it is, because nobody could use it meanwhile", async () => {
    await pool.query("INSERT INTO api_key (account_id, id, name) VALUES ($1, 'sk-0000001', 'a key')", [ACCOUNT]);
    const before = await orderOfColumns();
    await applyIt();
    expect(await orderOfColumns()).toEqual(before);
    const { rows } = await pool.query("SELECT name FROM api_key");
    expect(rows).toEqual([{ name: "a key" }]);
  });
});
