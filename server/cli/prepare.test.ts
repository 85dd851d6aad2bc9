import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

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

test("a start that is stopped while it installs ends what it has started", async () => {
  const folder = join(checkout, "stopped");
  cpSync("server/cli", join(folder, "server/cli"), { recursive: true });
  const mark = join(folder, "npm.pid");
  writeFileSync(join(folder, "npm"), `#!/bin/sh\necho $$ > ${mark}.part && mv ${mark}.part ${mark}\nexec sleep 600\n`, {
    mode: 0o755,
  });
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const start = spawn(process.execPath, [join(folder, "server/cli/prepare.mjs")], { env, stdio: "ignore" });
  const ended = once(start, "exit");
  await expect.poll(() => existsSync(mark)).toBe(true);
  const npm = Number(readFileSync(mark, "utf8"));
  onTestFinished(() => void (isAlive(npm) && process.kill(npm, "SIGKILL")));
  start.kill("SIGTERM");
  expect(await ended).toEqual([null, "SIGTERM"]);
  expect(isAlive(npm)).toBe(false);
  expect(existsSync(join(folder, ".build/preparing"))).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

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
