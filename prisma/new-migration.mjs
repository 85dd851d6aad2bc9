/**
 * Writes a new migration: `npm run migration:new -- add_labels`.
 * Compares schema.prisma with the copy that the newest migration keeps beside its SQL, and writes the statements
 * between the two, with no database. What the schema cannot express (checks, partial indexes, data) is added to
 * the file by hand before it is committed.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

const name = process.argv[2] ?? "";
if (!/^[a-z0-9_]+$/.test(name)) {
  console.error("name the migration in snake_case: npm run migration:new -- add_labels");
  process.exit(1);
}

const binary = createRequire(import.meta.url)
  .resolve("@prisma/schema-engine-wasm")
  .replace(/\.js$/, "_bg.wasm");
const { instance } = await WebAssembly.instantiate(await readFile(binary), { "./schema_engine_bg.js": engine });
engine.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

const migrations = new URL("migrations/", import.meta.url);
const newest = (await readdir(migrations)).sort().at(-1);
const content = await readFile(new URL("schema.prisma", import.meta.url), "utf8");
const target = (text) => ({ tag: "schemaDatamodel", files: [{ path: "schema.prisma", content: text }] });
const from =
  newest === undefined
    ? { tag: "empty" }
    : target(await readFile(new URL(`${newest}/schema.prisma`, migrations), "utf8"));

// The engine wants a driver, and asks it two things that do not matter when two schemas are compared.
class NoDatabase extends pg.Pool {
  async query() {
    return { fields: [], rows: [] };
  }
}
const driver = bindMigrationAwareSqlAdapterFactory(new PrismaPg(new NoDatabase()));

const schemaEngine = await engine.SchemaEngine.new({ datamodels: [["schema.prisma", content]] }, () => {}, driver);
const { stdout } = await schemaEngine.diff({
  from,
  to: target(content),
  script: true,
  exitCode: null,
  shadowDatabaseUrl: null,
  filters: { externalTables: [], externalEnums: [] },
});

const stamp = new Date().toISOString().replace(/[-:T]/g, "").slice(0, 14);
const folder = new URL(`${stamp}_${name}/`, migrations);
await mkdir(folder, { recursive: true });
await writeFile(new URL("migration.sql", folder), stdout);
await writeFile(new URL("schema.prisma", folder), content);
console.log(`prisma/migrations/${stamp}_${name}/migration.sql`);
