import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("docs/operations.md says of each table for how long its rows are kept", () => {
  const migrations = readdirSync("prisma/migrations").filter((name) => /^\d/.test(name));
  const sql = migrations.map((name) => readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8")).join("\n");
  const made = [...sql.matchAll(/^CREATE TABLE "(\w+)" \(/gm)].map(([, name]) => name);
  const renamed = new Map(
    [...sql.matchAll(/^ALTER TABLE "(\w+)" RENAME TO "(\w+)"/gm)].map(([, from, to]) => [from, to]),
  );
  const dropped = new Set([...sql.matchAll(/^DROP TABLE "(\w+)"/gm)].map(([, name]) => name));
  const sections = readFileSync("docs/operations.md", "utf8").split("\n## ");
  const lines = sections.find((section) => section.startsWith("Disk\n"))?.split("\n") ?? [];
  const rows = lines.filter((line) => line.startsWith("| `"));
  const said = rows.flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(said.sort()).toEqual(
    made
      .map((name) => renamed.get(name) ?? name)
      .filter((name) => !dropped.has(name))
      .sort(),
  );
});
