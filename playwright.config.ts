import { availableParallelism } from "node:os";
import { defineConfig } from "playwright/test";
import { findChromium } from "./e2e/chromium.mjs";

const executablePath = findChromium();

export default defineConfig({
  testDir: "e2e/dashboard",
  globalSetup: "./e2e/dashboard/setup.ts",
  outputDir: "test-results",
  // Each test has accounts of its own. One more than there are cores, because a test waits for the product and the browser by turns.
  workers: availableParallelism() + 1,
  // The tests of one file need not wait for each other, so the longest file does not run on alone in the end.
  fullyParallel: true,
  // As long as the other tests: how fast a page draws depends on what else the machine does.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: "list",
  use: {
    browserName: "chromium",
    launchOptions: {
      ...(executablePath !== undefined && { executablePath }),
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    },
  },
});
