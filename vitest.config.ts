import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const resolve = { alias: { "@/": fileURLToPath(new URL("./", import.meta.url)) } };
const common = {
  // The files of a worker share one module graph. To import the product anew takes longer than the tests of many files do.
  isolate: false,
  // Long, because how fast a test is depends on what else the machine does.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
};

export default defineConfig({
  test: {
    // More than there are cores: most tests wait for the product, which runs in processes of its own and waits too.
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          include: ["{server,app,components,checks}/**/*.test.ts"],
          pool: "threads",
          ...common,
        },
      },
      {
        resolve,
        test: {
          name: "integration",
          include: ["server/**/*.integration.ts"],
          globalSetup: "server/testing/setup.ts",
          ...common,
        },
      },
      {
        resolve,
        test: {
          name: "rest",
          include: ["e2e/rest/**/*.spec.ts"],
          globalSetup: "e2e/setup.ts",
          ...common,
        },
      },
    ],
  },
});
