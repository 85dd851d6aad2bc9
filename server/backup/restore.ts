import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { isRefused } from "../db/failure";
import { applyPending, beginMigrations, HISTORY_TABLE, readMigrations } from "../db/migrate";
import { findTables, namesOf, tablesMadeBy } from "../db/tables-found";
import type { Progress } from "../progress";
import { BackupError, type BackupHeader, BackupReader } from "./backup-file";
import { columnsOf, listTables } from "./tables";

/** The database has data, and nobody said that it may be lost. */
export class HasData extends Error {}

/** Everything was restored, or nothing: the answer that says which is lost. */
export class OutcomeUnknown extends Error {}

/** What was restored. */
export interface Restored {
  header: BackupHeader;
  rows: number;
}

/**
 * Puts the content of a backup in the place of everything in the database, in one transaction: all of it, or nothing has
 * changed. The tables are made as they were when the backup was made, and are brought to this version after that. They have no
 * statistics yet.
 * @param client a connection of the owner of the tables, in no transaction. No server may use the database meanwhile.
 * @param overwrites whether accounts that are in the database may be lost.
 * @param onProgress counts compressed bytes.
 * @param beforeCommit does what may fail while nothing has changed yet.
 * @throws {BackupError} {HasData} {OutcomeUnknown}
 */
export async function restore(
  client: Client,
  file: string,
  overwrites: boolean,
  onProgress: Progress = () => {},
  beforeCommit: (header: BackupHeader) => Promise<void> = async () => {},
): Promise<Restored> {
  const { size } = await stat(file);
  const source = createReadStream(file);
  let read = 0;
  source.on("data", (piece) => {
    read += piece.length;
    onProgress(read, size);
  });
  const text = createGunzip();
  // The error reaches whoever reads the text.
  const reading = pipeline(source, text).catch(() => {});
  try {
    const reader = new BackupReader(text);
    const header = await reader.header().catch(asDamaged);
    await client.query("BEGIN");
    await client.query("SET LOCAL statement_timeout = 0");
    await beginMigrations(client);
    await requireEmpty(client, overwrites);
    await dropAll(client);
    await applyPending(client, await migrationsOf(header));
    await copyTables(client, reader).catch(asDamaged);
    await applyPending(client, await readMigrations());
    await beforeCommit(header);
    await client.query("COMMIT").catch(asUnknown);
    return { header, rows: reader.rows };
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    source.destroy();
    text.destroy();
    await reading;
  }
}

/** Where PostgreSQL has not refused it, the transaction may be committed. */
function asUnknown(error: unknown): never {
  if (isRefused(error)) throw error;
  throw new OutcomeUnknown("the connection to the database broke at the end", { cause: error });
}

/** What zlib finds wrong is damage too. */
function asDamaged(error: NodeJS.ErrnoException): never {
  if (error.code === "Z_DATA_ERROR" && error.message === "incorrect header check")
    throw new BackupError("this is no backup");
  if (/^Z_/.test(error.code ?? "")) throw new BackupError(`the backup is damaged: ${error.message}`);
  throw error;
}

async function requireEmpty(client: Client, overwrites: boolean): Promise<void> {
  if (overwrites) return;
  const tables = await findTables(client);
  const own = tablesMadeBy(await readMigrations());
  const others = tables.filter((name) => !own.has(name) && name !== HISTORY_TABLE);
  if (others.length > 0)
    throw new HasData(`the database has tables of another program (${namesOf(others)}), which would be lost`);
  if (!tables.includes("account")) return;
  const { rows: counted } = await client.query<{ accounts: number }>("SELECT count(*)::int AS accounts FROM account");
  const accounts = counted[0]?.accounts ?? 0;
  if (accounts > 0) throw new HasData(`the database has accounts (${accounts}), which would be lost`);
}

/** Drops the tables and functions of the schema, but not what belongs to an extension. */
async function dropAll(client: Client): Promise<void> {
  const { rows } = await client.query<{ drop: string }>(
    `SELECT format('DROP TABLE IF EXISTS %s CASCADE', oid::regclass) AS drop FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND ${NOT_OF_EXTENSION}
    UNION ALL
    SELECT format('DROP FUNCTION IF EXISTS %s CASCADE', oid::regprocedure) FROM pg_proc
      WHERE pronamespace = current_schema()::regnamespace AND ${NOT_OF_EXTENSION}`,
  );
  for (const { drop } of rows) await client.query(drop);
}

const NOT_OF_EXTENSION = "NOT EXISTS (SELECT FROM pg_depend WHERE objid = oid AND deptype = 'e')";

/** The migrations that a backup was made with. */
async function migrationsOf({ migrations }: BackupHeader) {
  const known = await readMigrations();
  return migrations.map(({ name, checksum }) => {
    const found = known.find((migration) => migration.name === name);
    if (!found) throw new BackupError(`the backup is of a newer version: this one does not know the migration ${name}`);
    if (found.checksum !== checksum)
      throw new BackupError(`the migration ${name} was another one when the backup was made`);
    return found;
  });
}

async function copyTables(client: Client, reader: BackupReader): Promise<void> {
  const tables = await listTables(client);
  for (let table = await reader.table(); table; table = await reader.table()) {
    const { table: name } = table;
    const known = tables.find((known) => known.table === name);
    if (!known || table.columns.some((column) => !known.columns.includes(column))) {
      throw new BackupError(`the backup is damaged: it has the table ${name}, which does not fit its migrations`);
    }
    const target = client.escapeIdentifier(name);
    // Triggers count what changes, and the counts are in the backup.
    await client.query(`ALTER TABLE ${target} DISABLE TRIGGER USER`);
    // A migration may have inserted rows, and the backup has them too.
    await client.query(`DELETE FROM ${target}`);
    const copying = client.query(copyFrom(`COPY ${target} (${columnsOf(client, table)}) FROM STDIN`));
    await pipeline(Readable.from(reader.copied()), copying).catch((error: unknown) => {
      // An altered row is often one that PostgreSQL refuses before the checksum is reached.
      if (isRefused(error)) throw new BackupError(`the backup is damaged: rows of the table ${name} cannot be read`);
      throw error;
    });
    await client.query(`ALTER TABLE ${target} ENABLE TRIGGER USER`);
  }
}
