import { randomBytes } from "node:crypto";
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { expect, inject, test } from "vitest";
import { temporaryFolder } from "@/e2e/product";
import { migrate } from "../db/migrate";
import { database } from "../testing/database";

const MIGRATION = "20261121210200_proof";
const ACCOUNT = "a".repeat(24);

test("a session of an older version has proved nothing since its sign-in", async () => {
  const name = `proof_${randomBytes(6).toString("hex")}`;
  await database.pool.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = inject("databaseUrl").replace(/[^/]*$/, name);
  const folder = await temporaryFolder();
  // The migrations of the older version.
  await cp("prisma/migrations", folder.path, { recursive: true });
  for (const each of await readdir(folder.path)) {
    if (each >= MIGRATION && each !== "migration_lock.toml") await rm(join(folder.path, each), { recursive: true });
  }
  await migrate(url, folder.path);
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
    await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await folder.remove();
  }
});
