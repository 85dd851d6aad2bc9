import { expect, test } from "vitest";
import { TABLE_BY_HASH, TABLES_BY_ACCOUNT } from "./db/distributed-tables";
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

test.each(statements.map((statement) => [statement.name, statement.text] as const))(
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
