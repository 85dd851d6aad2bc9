import { defineConfig } from "playwright/test";
import base from "@/playwright.config";

/** `npm run pictures`: takes the README's pictures anew, from seeded data. */
const { globalSetup: _, ...rest } = base;

export default defineConfig({ ...rest, testDir: ".", outputDir: "../../test-results" });
