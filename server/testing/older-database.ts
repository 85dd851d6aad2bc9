import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@/e2e/product";
import { migrate } from "../db/migrate";
import { type NewDatabase, newDatabase } from "./new-database";

const ALL_MIGRATIONS = "prisma/migrations";

/** An empty database as an older version has made it. */
export interface OlderDatabase extends NewDatabase {
  /** A folder with the migrations of the older version. */
  migrations: string;
  remove(): Promise<void>;
}

/** @param isOlder whether the older version has the migration of this name. */
export async function openOlderDatabase(isOlder: (migration: string) => boolean): Promise<OlderDatabase> {
  const created = await newDatabase();
  const folder = await temporaryFolder();
  await copyMigrations(folder.path, isOlder);
  await migrate(created.url, folder.path);
  return {
    ...created,
    migrations: folder.path,
    remove: async () => {
      await created.remove();
      await folder.remove();
    },
  };
}

/** Copies the migrations that are chosen by their names into the folder. */
export async function copyMigrations(folder: string, isChosen: (migration: string) => boolean): Promise<void> {
  for (const migration of await readdir(ALL_MIGRATIONS)) {
    if (/^\d/.test(migration) && isChosen(migration)) {
      await cp(join(ALL_MIGRATIONS, migration), join(folder, migration), { recursive: true });
    }
  }
}
