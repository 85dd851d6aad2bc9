import type { Pool, QueryResult } from "pg";
import { expect } from "vitest";
import { sentStatements } from "./sent-statements";

/** What `EXPLAIN (ANALYZE, FORMAT JSON)` tells of a node. */
interface PlanNode {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  /** With those of the nodes below it. */
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: PlanNode[];
}

/**
 * How many rows the nodes of a plan have handled in all, those they left out included. A bitmap of an index has entries of
 * versions of rows that are gone too, as many as nobody has removed yet: the node above it counts the rows.
 */
function rowsOf(plan: PlanNode): number {
  if (plan["Node Type"] === "Bitmap Index Scan") return 0;
  const { "Rows Removed by Filter": filtered = 0, "Rows Removed by Join Filter": unjoined = 0 } = plan;
  const each = plan["Actual Rows"] + filtered + unjoined + (plan["Rows Removed by Index Recheck"] ?? 0);
  return each * plan["Actual Loops"] + (plan.Plans ?? []).map(rowsOf).reduce((sum, rows) => sum + rows, 0);
}

/**
 * How many rows a statement handles, or how many pages it reads, if these are more: an index that has no order for what is
 * asked reads many of its entries for each row. It is executed.
 * @param send runs a statement with values. */
export async function rowsHandled(
  send: (text: string, values: unknown[]) => Promise<QueryResult>,
  text: string,
  values: unknown[],
): Promise<number> {
  const { rows } = await send(`EXPLAIN (ANALYZE, BUFFERS, TIMING off, FORMAT JSON) ${text}`, values);
  const plan: PlanNode = rows[0]["QUERY PLAN"][0].Plan;
  return Math.max(rowsOf(plan), plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]);
}

/**
 * How many rows each of the statements handles by which something is read. Each is asked again under EXPLAIN.
 * @param reads which statements count; there must be one.
 */
export async function rowsRead(pool: Pool, reads: RegExp, read: () => Promise<unknown>): Promise<number[]> {
  const sent = await sentStatements(read);
  const found: number[] = [];
  for (const { text = "", values = [] } of sent.filter(({ text }) => reads.test(text ?? ""))) {
    found.push(await rowsHandled((...asked) => pool.query(...asked), text, values));
  }
  expect(found.length).toBeGreaterThan(0);
  return found;
}
