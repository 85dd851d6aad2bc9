/**
 * Makes a checkout ready to run. It does only what is missing: dependencies from the lockfile, Prisma's client, the
 * bundles in `.build`, the pages in `.next`. It is plain JavaScript without dependencies, because it runs before any are
 * installed. It writes to stderr alone, because stdout belongs to the command that runs next.
 * `node server/cli/prepare.mjs client server`: only these parts of the build.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PRODUCT_BUNDLE } from "./bundle.mjs";
import { makeDist } from "./dist.mjs";
import { requireNode } from "./node-version.mjs";
import { noteServerFiles } from "./server-files.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** The sources of each part of the build. A part is built again when one of its sources has changed. */
const PARTS = {
  client: { sources: ["prisma.config.ts", "prisma/schema.prisma"], made: "prisma/generated/client.ts" },
  server: { sources: ["server", "prisma", "tsconfig.json"], made: ".build/main.js" },
  pages: {
    sources: [
      "app",
      "components",
      "server",
      "prisma",
      "instrumentation-client.ts",
      "next.config.ts",
      "postcss.config.mjs",
      "tailwind.config.ts",
      "tsconfig.json",
    ],
    made: ".next/BUILD_ID",
  },
};
PARTS.dist = { sources: [...PARTS.pages.sources, "LICENSE"], made: "dist/allowance.mjs" };
/** Files among the sources that belong to no part: generated files, and tests. */
const NOT_BUILT = /^(prisma\/generated|server\/testing)$|\.(test|integration)\.ts$/;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const TURN = ".build/preparing";
/** An older mark belongs to a process that has ended, even if another process has the same number now. */
const LONGEST_TURN_MS = 15 * 60 * 1000;

/**
 * Installs, generates and builds what is missing or out of date. Exits with 1 and a clear line when a step fails.
 * @param parts which parts of the build are needed: `client` (Prisma's), `server` (bundles), `pages`, and
 * `dist`, which needs the other three.
 */
export async function prepare(parts = ["client", "server", "pages"]) {
  process.chdir(root);
  requireNode();
  if (isReady(parts)) return;
  takeTurn();
  try {
    await makeReady(parts);
  } finally {
    rmSync(TURN, { force: true });
  }
}

function isReady(parts) {
  return isInstalled() && parts.every(isMade);
}

function isMade(part) {
  const { sources, made } = PARTS[part];
  return existsSync(made) && existsSync(stampOf(part)) && readFileSync(stampOf(part), "utf8") === hashOf(sources);
}

async function makeReady(parts) {
  if (!isInstalled()) await step("installing dependencies", "npm", ["ci", "--include=dev", "--no-audit", "--no-fund"]);
  for (const part of parts) {
    if (isMade(part)) continue;
    const hash = hashOf(PARTS[part].sources);
    rmSync(stampOf(part), { force: true });
    await MAKERS[part]();
    writeFileSync(stampOf(part), hash);
  }
}

const MAKERS = {
  client: () => step("generating the database client", "node_modules/.bin/prisma", ["generate"]),
  server() {
    console.error("allowance: building the server");
    // It cannot be imported above, because it may have been installed a moment ago.
    const esbuild = createRequire(import.meta.url)("esbuild");
    try {
      const options = { ...PRODUCT_BUNDLE, entryPoints: SERVER_ENTRIES, outdir: ".build", metafile: true };
      const { metafile } = esbuild.buildSync(options);
      noteServerFiles(Object.keys(metafile.outputs).map((path) => basename(path)));
    } catch {
      fail("building the server");
    }
  },
  pages: () => step("building the pages", "node_modules/.bin/next", ["build"]),
  dist: makeDist,
};

/** The files to bundle: the server, the command line, and development. */
const SERVER_ENTRIES = ["server/main.ts", "server/cli/allowance.ts", "server/cli/dev.ts"];

function stampOf(part) {
  return `.build/${part}.sha256`;
}

/**
 * Waits while another process builds in the same checkout, for example when an account is created during the first
 * start. Then marks that this process builds. A mark of a process that has ended does not count.
 */
function takeTurn() {
  try {
    mkdirSync(".build", { recursive: true });
  } catch (error) {
    failToWrite(error);
  }
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(TURN, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if (error.code !== "EEXIST") failToWrite(error);
    }
    if (!isBusy()) rmSync(TURN, { force: true });
    else if (!waited) console.error("allowance: waiting for another process that installs or builds");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

function isBusy() {
  try {
    const { mtimeMs } = statSync(TURN);
    const pid = Number(readFileSync(TURN, "utf8"));
    // In a container, this process may have the number that the process before it had.
    if (pid === process.pid) return false;
    process.kill(pid, 0);
    return Date.now() - mtimeMs < LONGEST_TURN_MS;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Whether every package of the lockfile that this platform needs is installed in its version. */
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

function hashOf(sources) {
  const hash = createHash("sha256").update(process.version);
  const add = (path) => {
    if (NOT_BUILT.test(path) || !existsSync(path)) return;
    const entries = readDirectory(path);
    if (entries) for (const name of entries) add(`${path}/${name}`);
    else hash.update(`\0${path}\0`).update(readFileSync(path));
  };
  for (const path of ["package.json", "package-lock.json", ...sources]) add(path);
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

/** A signal that ends this process ends the program first, which would otherwise be in the way of the next start. */
async function step(what, command, args) {
  console.error(`allowance: ${what}`);
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  const program = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => (output += chunk));
  }
  let interruption;
  const interrupt = (signal) => {
    interruption = signal;
    program.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  const [status] = await once(program, "close").catch((error) => [error.message]);
  for (const signal of SIGNALS) process.off(signal, interrupt);
  if (interruption) {
    rmSync(TURN, { force: true });
    process.kill(process.pid, interruption);
  }
  if (status === 0) return;
  console.error(`${output}${typeof status === "string" ? status : ""}`);
  fail(what);
}

function fail(what) {
  console.error(`allowance: ${what} failed`);
  rmSync(TURN, { force: true });
  process.exit(1);
}

/** For example, root has built it before, and another user starts it after an update. */
function failToWrite({ code }) {
  console.error(
    `allowance: this checkout has to be built, and .build cannot be written to (${code}); run this as the user who owns it`,
  );
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const parts = process.argv.slice(2);
  await prepare(parts.length > 0 ? parts : undefined);
}
