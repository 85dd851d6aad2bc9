import type { Client } from "pg";

/** A statement that takes long and lets everybody read and write meanwhile. It cannot run in a transaction with others. */
export interface OnlineStep {
  sql: string;
  /** The index that it builds; undefined for a constraint that it validates. */
  index: string | undefined;
}

const BUILDS_INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "(\w+)" ON /;
const VALIDATES = /^ALTER TABLE "\w+" VALIDATE CONSTRAINT "\w+"$/;
const CONCURRENTLY = /\bINDEX CONCURRENTLY\b/g;

/**
 * The steps of a migration that has nothing but `CREATE INDEX CONCURRENTLY` and `VALIDATE CONSTRAINT`. Undefined for every
 * other migration.
 */
export function onlineSteps(sql: string): OnlineStep[] | undefined {
  const statements = sql
    .replace(/--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim().replace(/\s+/g, " "))
    .filter((statement) => statement !== "");
  const steps = statements.map((statement) => ({ sql: statement, index: BUILDS_INDEX.exec(statement)?.[1] }));
  const areOnline = steps.every((step) => step.index !== undefined || VALIDATES.test(step.sql));
  return areOnline && steps.length > 0 ? steps : undefined;
}

/** The same migration for a transaction in which nobody else uses the tables. */
export function withoutConcurrently(sql: string): string {
  return onlineSteps(sql) ? sql.replace(CONCURRENTLY, "INDEX") : sql;
}

/** Runs the steps one after the other. Those that an interrupted process has finished are not repeated. */
export async function runOnline(client: Client, steps: OnlineStep[]): Promise<void> {
  for (const { sql, index } of steps) {
    if (index !== undefined) {
      const state = await stateOf(client, index);
      if (state === "complete") continue;
      // What an interrupted build leaves behind is never used, and has the name.
      if (state === "incomplete") await client.query(`DROP INDEX CONCURRENTLY "${index}"`);
    }
    await client.query(sql);
  }
}

async function stateOf(client: Client, index: string): Promise<"complete" | "incomplete" | "missing"> {
  const { rows } = await client.query<{ isComplete: boolean }>(
    `SELECT indisvalid AS "isComplete" FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE relname = $1 AND relnamespace = current_schema()::regnamespace`,
    [index],
  );
  if (!rows[0]) return "missing";
  return rows[0].isComplete ? "complete" : "incomplete";
}
