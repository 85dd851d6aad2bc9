/**
 * `npm test`: makes the checkout ready, then runs every test. `npm test -- FILTER …`: those in files whose path contains
 * one of the words. It builds only what these files need: the server for tests over HTTP, and pages for browser tests.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { prepare } from "../server/cli/prepare.mjs";

/** Which files are tests of which kind, what runs them, and which parts of the build they need. */
const KINDS = [
  { pattern: /^(server|app|components|checks)\/.*\.test\.ts$/, runner: "vitest", parts: ["client"] },
  { pattern: /^server\/.*\.integration\.ts$/, runner: "vitest", parts: ["client"] },
  { pattern: /^e2e\/rest\/.*\.spec\.ts$/, runner: "vitest", parts: ["client", "server"] },
  { pattern: /^e2e\/dashboard\/.*\.spec\.ts$/, runner: "playwright", parts: ["client", "server", "pages"] },
];

const filters = process.argv.slice(2);
const files = ["server", "app", "components", "checks", "e2e"]
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => `${folder}/${file}`))
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
const chosen = KINDS.map((kind) => ({ ...kind, files: files.filter((file) => kind.pattern.test(file)) })).filter(
  (kind) => kind.files.length > 0,
);
if (chosen.length === 0) {
  console.error(`allowance: no test has a path that contains ${filters.join(" or ")}`);
  process.exit(1);
}
await prepare([...new Set(chosen.flatMap(({ parts }) => parts))]);
run("vitest", ["run", ...filesOf("vitest")]);
if (filesOf("playwright").length > 0) {
  // It cannot be imported above, because its package may have been installed a moment ago.
  const { requireChromium } = await import("./chromium.mjs");
  requireChromium();
}
run("playwright", ["test", ...filesOf("playwright").map(escapePattern)]);

function filesOf(runner) {
  return chosen.filter((kind) => kind.runner === runner).flatMap((kind) => kind.files);
}

/** Playwright reads each path as a regular expression. */
function escapePattern(path) {
  return path.replace(/[.()[\]]/g, "\\$&");
}

function run(program, args) {
  if (filesOf(program).length === 0) return;
  const { status } = spawnSync(`node_modules/.bin/${program}`, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
