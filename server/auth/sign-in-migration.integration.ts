import { createHash } from "node:crypto";
import { Client } from "pg";
import { expect, test } from "vitest";
import { migrate } from "../db/migrate";
import { openOlderDatabase } from "../testing/older-database";

const MIGRATION = "20261121210100_sign_in";
const A = "a".repeat(24);
const B = "b".repeat(24);

test("what an older version has left: sessions go on, by their hash; trusted devices and second identities are gone", async () => {
  const { url, remove } = await openOlderDatabase((each) => each < MIGRATION);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      SET session_replication_role = replica;
      INSERT INTO account (id, email) VALUES ('${A}', 'a@example.com'), ('${B}', 'b@example.com');
      INSERT INTO session (id, token, account_id, expires_at, updated_at) VALUES
        ('used', 'AbC123', '${A}', now() + interval '20 days', now()),
        ('ending', 'xyz', '${B}', now() + interval '2 days', now() - interval '28 days');
      INSERT INTO sign_in_method (id, subject, provider_id, account_id, created_at) VALUES
        ('1', '${A}', 'credential', '${A}', now()), ('2', 'first', 'oidc', '${A}', now() - interval '2 days'),
        ('3', 'second', 'oidc', '${A}', now() - interval '1 day'), ('4', 'other', 'oidc', '${B}', now());
      INSERT INTO verification (id, identifier, value, expires_at) VALUES
        ('1', 'trust-device-x', '${A}', now() + interval '30 days'), ('2', '2fa-x', '${A}', now() + interval '5 minutes'),
        ('3', 'set-up', 'hash', now() + interval '1 day');
      INSERT INTO rate_limit (id, key, count, last_request) VALUES
        ('1', 'sign-in as hash', 10, 0), ('2', 'sign-in from 192.0.2.1', 3, 0)`);

    expect(await migrate(url)).toContain(MIGRATION);

    const { rows: sessions } = await client.query(
      "SELECT id, token, round(extract(epoch FROM expires_at - now()) / 86400)::int AS days FROM session ORDER BY id DESC",
    );
    const hash = (token: string) => createHash("sha256").update(token).digest("hex");
    expect(sessions).toEqual([
      { id: "used", token: hash("AbC123"), days: 7 },
      { id: "ending", token: hash("xyz"), days: 2 },
    ]);
    const subjects = await client.query("SELECT subject FROM sign_in_method ORDER BY id");
    expect(subjects.rows.map(({ subject }) => subject)).toEqual([A, "first", "other"]);
    expect((await client.query("SELECT identifier FROM verification")).rows).toEqual([{ identifier: "set-up" }]);
    expect((await client.query("SELECT key FROM rate_limit")).rows).toEqual([{ key: "sign-in from 192.0.2.1" }]);
  } finally {
    await client.end();
    await remove();
  }
});
