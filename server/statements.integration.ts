import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { statements } from "./statements";

let client: Client;
beforeAll(async () => {
  client = new Client({ connectionString: inject("databaseUrl") });
  await client.connect();
});
afterAll(() => client.end());

test("each name is used once", () => {
  const names = statements.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test.each(statements.map((statement) => [statement.name, statement] as const))(
  "%s: PostgreSQL finds the parameter types that are listed, and plans it",
  async (name, { parameters, text }) => {
    // Without types, as `pg` sends it.
    await client.query(`PREPARE "${name}" AS ${text}`);
    const { rows } = await client.query(
      "SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = $1",
      [name],
    );
    expect(rows[0].types).toEqual(parameters);
    await client.query(`EXPLAIN (GENERIC_PLAN) ${text}`);
  },
);
