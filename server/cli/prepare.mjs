/**
 * Makes a checkout ready to run, doing only what is missing: dependencies from the lockfile, Prisma's client, the
 * bundles in `.build`, the pages in `.next`. Plain JavaScript without dependencies, because it runs before any are there.
 * Everything it says goes to stderr: stdout belongs to the command it prepares.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

const SOURCES = [
  "app",
  "components",
  "server",
  "prisma",
  "package-lock.json",
  "next.config.ts",
  "postcss.config.mjs",
  "tailwind.config.ts",
  "tsconfig.json",
];
const STAMP = ".build/sources.sha256";

/** Installs, generates and builds what is missing or out of date. Exits with 1 and a clear line when a step fails. */
export function prepare() {
  process.chdir(root);
  requireNode();
  if (!isInstalled()) step("installing dependencies", "npm", ["ci", "--include=dev", "--no-audit", "--no-fund"]);
  const sources = hashSources();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources) return;
  rmSync(STAMP, { force: true });
  step("generating the database client", "node_modules/.bin/prisma", ["generate"]);
  step("building the server", "node_modules/.bin/esbuild", [
    "server/main.ts",
    ...readdirSync("server/cli")
      .filter((file) => file.endsWith(".ts"))
      .map((file) => `server/cli/${file}`),
    "--bundle",
    "--splitting",
    "--platform=node",
    "--format=esm",
    "--target=node20.19",
    "--packages=external",
    "--sourcemap",
    "--entry-names=[name]",
    "--outdir=.build",
    "--log-level=warning",
  ]);
  step("building the pages", "node_modules/.bin/next", ["build"]);
  mkdirSync(".build", { recursive: true });
  writeFileSync(STAMP, sources);
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Allowance needs Node.js 20.19 or newer; this is ${process.versions.node}`);
  process.exit(1);
}

/** Whether every package of the lockfile that this platform needs is there in its version. */
function isInstalled() {
  const installed = readLock("node_modules/.package-lock.json");
  if (!installed) return false;
  return Object.entries(readLock("package-lock.json")).every(
    ([path, { version, optional, devOptional }]) =>
      path === "" || optional || devOptional || installed[path]?.version === version,
  );
}

function readLock(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : undefined;
}

function hashSources() {
  const hash = createHash("sha256").update(process.version);
  const add = (path) => {
    if (path === "prisma/generated" || path.endsWith(".test.ts") || !existsSync(path)) return;
    const entries = readDirectory(path);
    if (entries) for (const name of entries) add(`${path}/${name}`);
    else hash.update(`\0${path}\0`).update(readFileSync(path));
  };
  for (const path of SOURCES) add(path);
  return hash.digest("hex");
}

function readDirectory(path) {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if (error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

function step(what, command, args) {
  console.error(`allowance: ${what}`);
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  const { status, error, stdout, stderr } = spawnSync(command, args, { env, encoding: "utf8", maxBuffer: 64 << 20 });
  if (status === 0) return;
  console.error(`${stdout ?? ""}${stderr ?? ""}${error ? `${error.message}\n` : ""}allowance: ${what} failed`);
  process.exit(1);
}
