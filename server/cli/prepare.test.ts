import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

let checkout: string;
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), "allowance-prepare-"));
  cpSync("server/cli", join(checkout, "server/cli"), { recursive: true });
});
afterAll(() => rmSync(checkout, { recursive: true }));

test("a checkout that cannot be written to is told in one line", () => {
  // Root may write to every folder. Nobody can make a folder where a file is.
  writeFileSync(join(checkout, ".build"), "");
  const { status, stderr } = spawnSync("node", [join(checkout, "server/cli/prepare.mjs")], { encoding: "utf8" });
  expect(stderr).toMatch(/^allowance: this checkout has to be built, and \.build cannot be written to \(\w+\); .*\n$/);
  expect(status).toBe(1);
});
