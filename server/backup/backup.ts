import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { flushFolder } from "../flushed-folder";
import { undoneIfInterrupted } from "../interruption";
import type { Progress } from "../progress";
import { BackupWriter } from "./backup-file";
import { columnsOf, listTables } from "./tables";

/**
 * Writes the whole database into a file, as it is at one moment. A server may go on meanwhile. The file appears under its
 * name when it is complete, and only its owner can read it, because it holds secrets.
 * @param client a connection in no transaction.
 * @param authSecret the secret of the data folder; null where it is not kept there.
 * @param onProgress counts rows.
 * @returns the number of rows.
 * @throws an error of the file system, also when there is a file of this name.
 */
export async function backUp(
  client: Client,
  file: string,
  authSecret: string | null,
  onProgress: Progress = () => {},
): Promise<number> {
  const draft = `${file}.${process.pid}.part`;
  const handle = await open(draft, "wx", 0o600);
  const remove = () => rm(draft, { force: true });
  // It holds secrets, so that no part of it may stay.
  return undoneIfInterrupted(remove, async () => {
    try {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      await client.query("SET LOCAL statement_timeout = 0");
      const writer = new BackupWriter();
      await pipeline(
        textOf(client, writer, authSecret, onProgress),
        createGzip(),
        handle.createWriteStream({ flush: true }),
      );
      await client.query("COMMIT");
      await putInPlace(draft, file);
      await flushFolder(dirname(file));
      return writer.rows;
    } finally {
      await handle.close().catch(() => {});
      await remove();
    }
  });
}

/** What a file system answers that has no links: of an exFAT disk or a share, for example. */
const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "ENOSYS"];

/** Gives a file its name. Unlike a new name, a link never takes the place of another file. */
async function putInPlace(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (!WITHOUT_LINKS.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    // What is replaced then is an empty file of this process.
    await (await open(file, "wx", 0o600)).close();
    await rename(draft, file);
  }
}

async function* textOf(
  client: Client,
  writer: BackupWriter,
  authSecret: string | null,
  onProgress: Progress,
): AsyncGenerator<Buffer> {
  const { rows: migrations } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const { rows: moment } = await client.query<{ now: Date }>("SELECT now() AS now");
  const madeAt = moment[0]?.now.toISOString() ?? "";
  yield writer.header({ format: "allowance-backup", version: 1, made_at: madeAt, migrations, auth_secret: authSecret });
  const tables = await listTables(client);
  const all = await countRows(
    client,
    tables.map(({ table }) => client.escapeIdentifier(table)),
  );
  for (const table of tables) {
    yield writer.table(table);
    const select = `SELECT ${columnsOf(client, table)} FROM ${client.escapeIdentifier(table.table)}`;
    const stream = client.query(copyTo(`COPY (${select}) TO STDOUT`));
    for await (const piece of stream) {
      yield writer.copied(piece);
      onProgress(writer.rows, all);
    }
    yield writer.endOfTable();
  }
  yield writer.trailer();
}

async function countRows(client: Client, tables: string[]): Promise<number> {
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table})`);
  const { rows } = await client.query<{ rows: number }>(`SELECT (${counts.join(" + ")})::float8 AS rows`);
  return rows[0]?.rows ?? 0;
}
