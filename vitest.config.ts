import { defineConfig } from "vitest/config";

const alias = { "@/": new URL("./", import.meta.url).pathname };

export default defineConfig({
  test: {
    projects: [
      { resolve: { alias }, test: { name: "unit", include: ["{server,app,components}/**/*.test.ts"] } },
      {
        resolve: { alias },
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
