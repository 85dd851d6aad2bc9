/**
 * `npm run release:record`: writes what the next version must not break into `server/testing/released.json`: the newest
 * migration and the prepared statements of this version. Run it when a version is released.
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const { outputFiles } = await build({
  stdin: { contents: 'export { statements } from "./server/statements";', resolveDir: process.cwd(), loader: "ts" },
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  write: false,
});
// Packages are found from the folder of the project, so the module must stand in it.
const bundled = ".build/released-statements.mjs";
mkdirSync(".build", { recursive: true });
writeFileSync(bundled, outputFiles[0].text);
const { statements } = await import(new URL(`../${bundled}`, import.meta.url));
const migration = readdirSync("prisma/migrations")
  .filter((name) => /^\d{14}_/.test(name))
  .sort()
  .at(-1);
const released = { migration, statements: Object.fromEntries(statements.map(({ name, text }) => [name, text])) };
writeFileSync("server/testing/released.json", `${JSON.stringify(released, null, 2)}\n`);
console.log(`recorded ${statements.length} statements and ${migration}`);
