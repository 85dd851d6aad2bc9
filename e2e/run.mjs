/**
 * `npm test`: makes the checkout ready, then runs the unit, property and REST tests, then those in a browser.
 * `npm test -- FILTER` runs the former alone, those whose path contains FILTER.
 */
import { spawnSync } from "node:child_process";
import { prepare } from "../server/cli/prepare.mjs";

const filters = process.argv.slice(2);
prepare(filters.length === 0 ? undefined : ["client", "server"]);
run("vitest", ["run", ...filters]);
if (filters.length === 0) {
  // Not before: on a fresh machine its package has just been installed.
  const { requireChromium } = await import("./chromium.mjs");
  requireChromium();
  run("playwright", ["test"]);
}

function run(program, args) {
  const { status } = spawnSync(`node_modules/.bin/${program}`, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
