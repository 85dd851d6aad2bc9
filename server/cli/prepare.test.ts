import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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

test("the files of the last build stay, because a server may still load them, and older ones go", () => {
  const folder = join(checkout, "built");
  mkdirSync(join(folder, ".build"), { recursive: true });
  const module = JSON.stringify(join(process.cwd(), "server/cli/server-files.mjs"));
  const build = (files: string[]) => {
    for (const file of files) writeFileSync(join(folder, ".build", file), "");
    const note = `(await import(${module})).noteServerFiles(${JSON.stringify(files)})`;
    const { stderr } = spawnSync("node", ["--input-type=module", "-e", note], { cwd: folder, encoding: "utf8" });
    expect(stderr).toBe("");
    return readdirSync(join(folder, ".build")).filter((file) => file.endsWith(".js"));
  };
  expect(build(["main.js", "chunk-A.js"])).toEqual(["chunk-A.js", "main.js"]);
  expect(build(["main.js", "chunk-B.js"])).toEqual(["chunk-A.js", "chunk-B.js", "main.js"]);
  expect(build(["main.js", "chunk-C.js"])).toEqual(["chunk-B.js", "chunk-C.js", "main.js"]);
});
