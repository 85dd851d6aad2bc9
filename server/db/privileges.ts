import type { Client } from "pg";
import type { DatabaseUrls } from "../config";
import type { Progress } from "../progress";
import { LOCKS } from "./advisory-locks";
import { isDatabaseUnavailable } from "./failure";
import { migrate, requirePublicSchema } from "./migrate";
import { requireOneDatabase } from "./one-database";
import { withClient } from "./with-client";

/**
 * Applies the missing migrations as the owner, and gives the serving role what it needs, where it is another one.
 * @param onProgress counts migrations.
 * @returns the names of the migrations that were applied now.
 * @throws {MigrationError} when a migration cannot be applied; {PrivilegeError} when the owner may not give a privilege;
 * {ConfigError} when the two lead to two databases.
 */
export async function prepareDatabase({ url, ownerUrl }: DatabaseUrls, onProgress?: Progress): Promise<string[]> {
  await requireOneDatabase({ url, ownerUrl });
  const applied = await migrate(ownerUrl, undefined, onProgress);
  if (url !== ownerUrl) {
    const role = await withClient(url, "allowance migrate", async (client) => {
      await requirePublicSchema(client);
      const { rows } = await client.query<{ role: string }>("SELECT current_user AS role");
      return rows[0]?.role ?? "";
    });
    await withClient(ownerUrl, "allowance migrate", (client) => grantMissing(client, role));
  }
  return applied;
}

/** The role of the migrations may not give the serving role what it needs. */
class PrivilegeError extends Error {}

/** The statements that give a role the privileges it lacks to serve. */
export async function missingPrivileges(client: Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ grant: string }>(MISSING, [role]);
  return rows.map(({ grant }) => grant);
}

/** One `GRANT` for each privilege that is missing, so that a start usually changes nothing. All of them, or none. */
async function grantMissing(client: Client, role: string): Promise<void> {
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock($1)", [LOCKS.privileges]);
  for (const grant of await missingPrivileges(client, role)) {
    await client.query(grant).catch((error: Error) => {
      if (isDatabaseUnavailable(error)) throw error;
      throw new PrivilegeError(`MIGRATION_DATABASE_URL: its role must own every table; ${grant}: ${error.message}`);
    });
  }
  await client.query("COMMIT");
}

/**
 * Rows of all tables may be read and changed; the ledger only grows, and its partitions of days, which are made while the role
 * serves, are read through it. To analyse tables is a privilege since PostgreSQL 17. The history of migrations is the owner's
 * alone.
 */
const MISSING = `
  SELECT format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), $1::text) AS grant
    WHERE NOT has_schema_privilege($1::text, current_schema(), 'USAGE')
  UNION ALL
  SELECT format('GRANT %s ON %s TO %I', privilege, class.oid::regclass, $1::text)
    FROM pg_class class
    CROSS JOIN unnest(CASE
      WHEN relname ~ '^ledger_\\d{8}$' THEN ARRAY['MAINTAIN']
      WHEN relname = 'ledger_other' THEN ARRAY['SELECT', 'MAINTAIN']
      WHEN relname = 'ledger' THEN ARRAY['SELECT', 'INSERT', 'MAINTAIN']
      ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MAINTAIN']
    END) AS privilege
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relname <> '_prisma_migrations'
      AND CASE WHEN privilege = 'MAINTAIN' AND current_setting('server_version_num')::int < 170000 THEN false
        ELSE NOT has_table_privilege($1::text, class.oid, privilege) END
  UNION ALL
  SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', oid::regprocedure, $1::text)
    FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND prosecdef
      AND NOT has_function_privilege($1::text, oid, 'EXECUTE')`;
