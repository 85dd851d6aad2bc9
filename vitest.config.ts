import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const resolve = { alias: { "@/": new URL("./", import.meta.url).pathname } };
/** Long, because how fast a test is depends on what else the machine does. */
const TWO_MINUTES_MS = 120_000;

export default defineConfig({
  test: {
    // One more than there are cores: most tests wait for the product, which runs in processes of its own and waits too.
    maxWorkers: availableParallelism() + 1,
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
          testTimeout: TWO_MINUTES_MS,
          hookTimeout: TWO_MINUTES_MS,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        resolve,
        test: {
          name: "rest",
          include: ["e2e/rest/**/*.spec.ts"],
          globalSetup: "e2e/setup.ts",
          testTimeout: TWO_MINUTES_MS,
          hookTimeout: TWO_MINUTES_MS,
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
});
