import { Client } from "pg";
import { expect, test } from "vitest";
import { migrate } from "../db/migrate";
import { openOlderDatabase } from "../testing/older-database";

const MIGRATION = "20261121210200_proof";
const ACCOUNT = "a".repeat(24);

test("a session of an older version has proved nothing since its sign-in", async () => {
  const { url, remove } = await openOlderDatabase((each) => each < MIGRATION);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      SET session_replication_role = replica;
      INSERT INTO account (id, email) VALUES ('${ACCOUNT}', 'a@example.com');
      INSERT INTO session (id, token, account_id, expires_at, created_at) VALUES
        ('one', 'token', '${ACCOUNT}', now() + interval '20 days', now() - interval '10 days');
      RESET session_replication_role`);
    await migrate(url);
    const { rows } = await client.query("SELECT proved_at = created_at AS is_of_sign_in FROM session");
    expect(rows).toEqual([{ is_of_sign_in: true }]);
  } finally {
    await client.end();
    await remove();
  }
});
