import { defineConfig } from "playwright/test";
import base from "@/playwright.config";

/** `npm run pictures`: makes the README's pictures again, from seeded data. */
const { globalSetup: _, ...rest } = base;

export default defineConfig({ ...rest, testDir: ".", outputDir: "../../test-results" });
