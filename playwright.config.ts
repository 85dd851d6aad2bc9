import { defineConfig } from "playwright/test";
import { findChromium } from "./e2e/chromium.mjs";

const executablePath = findChromium();

export default defineConfig({
  testDir: "e2e/dashboard",
  globalSetup: "./e2e/dashboard/setup.ts",
  outputDir: "test-results",
  workers: 1,
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
