import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { runsIntegration } from "../integrations";
import { type TemporaryFolder, temporaryFolder } from "../product";
import { newAccount } from "./client";

const REDOCLY = "@redocly/cli@2.77.0";
const SPECTRAL = "@stoplight/spectral-cli@6.16.3";
const SCHEMATHESIS = ["schemathesis==4.32.5", "hypothesis==6.170.15"];
const TEN_MINUTES_MS = 600_000;

const run = promisify(execFile);
let folder: TemporaryFolder;
let file: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, "openapi.json");
  await writeFile(file, await (await fetch(`${inject("productUrl")}/openapi.json`)).text());
});
afterAll(() => folder.remove());

/** What a program printed on both streams, and how it ended. Output of npm itself is left out. */
function outcomeOf(program: string, args: string[]): Promise<{ code: number; said: string }> {
  const options = {
    cwd: folder.path,
    maxBuffer: 64 << 20,
    env: { ...process.env, CI: "1", NO_COLOR: "1", REDOCLY_TELEMETRY: "off" },
  };
  return run(program, args, options).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );
}

describe.runIf(runsIntegration("linters of the document"))("linters have nothing to say", () => {
  test(
    "Redocly, with its recommended rules",
    async () => {
      const format = ["--format", "json", "--extends", "recommended"];
      const { code, said } = await outcomeOf("npx", ["--yes", REDOCLY, "lint", file, ...format]);
      expect([code, said]).toEqual([0, expect.stringContaining('"errors": 0')]);
      expect(said).toContain('"warnings": 0');
    },
    TEN_MINUTES_MS,
  );

  test(
    "Spectral, with its rules for OpenAPI",
    async () => {
      const ruleset = join(folder.path, "spectral.json");
      await writeFile(ruleset, JSON.stringify({ extends: ["spectral:oas"] }));
      const args = ["lint", "--ruleset", ruleset, "--fail-severity", "hint", "--format", "json", "--quiet", file];
      const { code, said } = await outcomeOf("npx", ["--yes", SPECTRAL, ...args]);
      expect([code, code === 0 ? "" : said]).toEqual([0, ""]);
    },
    TEN_MINUTES_MS,
  );
});

describe.runIf(runsIntegration("Schemathesis"))("Schemathesis", () => {
  /**
   * Left out: that each body of the right form is accepted. The rest of the rules is in no schema: a name that is taken, a
   * group that does not exist, exactly one of two parameters.
   */
  test(
    "finds no answer that the document does not describe, and no wrong request that is taken",
    async () => {
      const { apikey } = await newAccount();
      const environment = join(folder.path, "environment");
      await run("python3", ["-m", "venv", environment]);
      await run(join(environment, "bin/pip"), ["install", "--quiet", ...SCHEMATHESIS]);
      const { code, said } = await outcomeOf(join(environment, "bin/schemathesis"), [
        ...["run", `${inject("productUrl")}/openapi.json`, "--header", `Authorization: Bearer ${apikey}`],
        // Two workers would meet a fault of CPython 3.11: "AST constructor recursion depth mismatch".
        ...["--seed", "13", "--max-examples", "25", "--max-time", "150", "--warnings", "off"],
        ...["--exclude-checks", "positive_data_acceptance", "--continue-on-failure", "--no-shrink"],
      ]);
      expect([code, code === 0 ? "" : said]).toEqual([0, ""]);
    },
    TEN_MINUTES_MS,
  );
});
