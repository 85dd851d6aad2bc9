/**
 * `npm test`: makes the checkout ready, then runs the unit, property and REST tests, then those in a browser.
 * `npm test -- FILTER` runs the former alone, those whose path contains FILTER.
 */
import { spawnSync } from "node:child_process";
import { prepare } from "./prepare.mjs";

prepare();
const filters = process.argv.slice(2);
run("vitest", ["run", ...filters]);
if (filters.length === 0) {
  const { requireChromium } = await import("../../e2e/chromium.mjs");
  requireChromium();
  run("playwright", ["test"]);
}

function run(program, args) {
  const { status } = spawnSync(`node_modules/.bin/${program}`, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
