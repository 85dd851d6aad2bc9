/** Finds the Chromium for the browser tests, and installs one when there is none. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright";

/** The headless shell first: it is Chromium without windows, and does the browser tests with less work. */
const INSTALLED = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Path of an installed Chromium or Chrome: that of the system, or else that of Playwright. `undefined` when there is none. */
export function findChromium() {
  return [...INSTALLED, chromium.executablePath()].find((path) => existsSync(path));
}

/** Installs a Chromium when there is none: as root with apt, else with Playwright. When this fails, exits with 1 and says what to do. */
export function requireChromium() {
  if (findChromium()) return;
  console.error("allowance: installing Chromium for the browser tests");
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    run("apt-get", ["update", "-qq"]);
    for (const name of ["chromium-headless-shell", "chromium"]) {
      // Older releases of Debian have no package of it.
      if (!findChromium()) run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name]);
    }
  }
  if (!findChromium()) run("node_modules/.bin/playwright", ["install", "chromium"]);
  if (findChromium()) return;
  console.error(
    "allowance: the browser tests need Chromium; install it (Debian: apt-get install chromium-headless-shell) and run npm test again",
  );
  process.exit(1);
}

function run(program, args) {
  spawnSync(program, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
