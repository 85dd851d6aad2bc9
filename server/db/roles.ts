import { createHmac } from "node:crypto";
import type { ClientBase } from "pg";
import { LOCKS } from "./advisory-locks";

/**
 * The roles of the embedded PostgreSQL (docs/decisions/database-roles.md). `allowance` is its superuser, which makes the two
 * others at the start. `allowance_owner` owns the database and migrates it. `allowance_service` serves, and owns nothing.
 */
export type DatabaseRole = "allowance" | "allowance_owner" | "allowance_service";

/**
 * The password of a role. Those of the two lesser roles follow from that of the superuser, so that there is only one file to
 * keep; nobody can compute back from them.
 */
export function passwordOf(role: DatabaseRole, superuserPassword: string): string {
  if (role === "allowance") return superuserPassword;
  return createHmac("sha256", superuserPassword).update(role).digest("base64url");
}

/**
 * Makes the roles where they are missing, and gives the owner what belongs to the superuser: all tables of a database that was
 * made before there were roles, or restored from a dump. One transaction: all of it, or nothing. Where nothing is to be
 * done, it only reads.
 * @param client connected as the superuser.
 * @throws SQLSTATE 55P03 when a table is in use for too long.
 */
export async function prepareRoles(client: ClientBase, superuserPassword: string): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query("SET LOCAL lock_timeout = '5s'");
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCKS.roles]);
    for (const role of ["allowance_owner", "allowance_service"] as const) {
      await makeRole(client, role, passwordOf(role, superuserPassword));
    }
    await client.query(RIGHTS);
    await client.query(OWNERSHIP);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

async function makeRole(client: ClientBase, role: DatabaseRole, password: string): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
  if (rowCount !== 0) return;
  const lesser = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS";
  await client.query(`CREATE ROLE ${role} LOGIN ${lesser} PASSWORD '${password}'`);
}

/** The service may connect to this database alone, and makes no temporary tables. The owner may do all in this database. */
const RIGHTS = `DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND datdba <> 'allowance_owner'::regrole) THEN
    EXECUTE format('ALTER DATABASE %I OWNER TO allowance_owner', current_database());
  END IF;
  IF NOT has_database_privilege('allowance_service', current_database(), 'CONNECT')
    OR has_database_privilege('allowance_service', current_database(), 'TEMPORARY')
    OR has_database_privilege('allowance_service', 'template1', 'CONNECT') THEN
    EXECUTE format('REVOKE ALL ON DATABASE %I, template1 FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO allowance_service', current_database());
  END IF;
END $$`;

/** What belongs to an extension stays with it. Indexes and row types follow their tables. Here `TABLE` is also a view. */
const OWNERSHIP = `DO $$
DECLARE
  thing text;
BEGIN
  FOR thing IN
    SELECT format('TABLE %s', oid::regclass) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND relowner <> 'allowance_owner'::regrole
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND classid = 'pg_class'::regclass AND deptype = 'e')
    UNION ALL
    SELECT format('ROUTINE %s', oid::regprocedure) FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND proowner <> 'allowance_owner'::regrole
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND classid = 'pg_proc'::regclass AND deptype = 'e')
  LOOP
    EXECUTE format('ALTER %s OWNER TO allowance_owner', thing);
  END LOOP;
END $$`;
