import { defineConfig } from "vitest/config";

const resolve = { alias: { "@/": new URL("./", import.meta.url).pathname } };
const ONE_MINUTE_MS = 60_000;

export default defineConfig({
  test: {
    // vitest leaves a core to itself otherwise. Most tests wait for the product, which runs in processes of its own.
    maxWorkers: "100%",
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          include: ["{server,app,components,checks}/**/*.test.ts"],
          // Pure functions need no module graph of their own for each file, and one graph halves the time.
          pool: "threads",
          isolate: false,
        },
      },
      {
        resolve,
        test: {
          name: "integration",
          include: ["server/**/*.integration.ts"],
          globalSetup: "server/testing/setup.ts",
          testTimeout: ONE_MINUTE_MS,
          hookTimeout: ONE_MINUTE_MS,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        resolve,
        test: {
          name: "rest",
          include: ["e2e/rest/**/*.spec.ts"],
          globalSetup: "e2e/setup.ts",
          testTimeout: ONE_MINUTE_MS,
          hookTimeout: ONE_MINUTE_MS,
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
});
