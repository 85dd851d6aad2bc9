import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["{server,app,components}/**/*.test.ts"] } },
      {
        test: {
          name: "rest",
          include: ["e2e/rest/**/*.spec.ts"],
          globalSetup: "e2e/setup.ts",
          testTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
