/** The generated part of the Python client. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "../server/cli/prepare.mjs";

const PROGRAMS = ["openapi-python-client==0.29.1", "ruff==0.17.6"];
const OLDEST = "3.11";

/** The generator cannot run on this machine. The message says what it needs. */
export class PythonMissing extends Error {}

/**
 * Writes the package `allowance_client` into a folder, in place of what is there. The generator is installed into a folder
 * of its own, which is removed afterwards.
 * @throws {PythonMissing} when there is no Python that is new enough, or it cannot make environments.
 */
export function generatePythonPackage(document, folder) {
  const work = mkdtempSync(join(tmpdir(), "allowance-clients-"));
  try {
    requirePython();
    const environment = join(work, "environment");
    run("python3", ["-m", "venv", environment], work);
    run(join(environment, "bin/pip"), ["install", "--quiet", "--disable-pip-version-check", ...PROGRAMS], work);
    writeFileSync(join(work, "openapi.json"), document);
    const config = join(root, "clients/python/generator.yaml");
    const args = ["generate", "--path", "openapi.json", "--meta", "none", "--config", config, "--fail-on-warning"];
    run(join(environment, "bin/openapi-python-client"), [...args, "--output-path", "allowance_client"], work);
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(work, "allowance_client"), folder, {
      recursive: true,
      filter: (path) => !/\.ruff_cache|__pycache__|\.gitignore$/.test(path),
    });
    // Says to type checkers that the package has types.
    writeFileSync(join(folder, "py.typed"), "");
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function requirePython() {
  const check = `import sys, venv; sys.exit(sys.version_info < (${OLDEST.replace(".", ", ")}))`;
  const { status } = spawnSync("python3", ["-c", check]);
  if (status !== 0) {
    throw new PythonMissing(`the Python client needs python3, ${OLDEST} or newer, with its module venv`);
  }
}

function run(program, args, work) {
  // The generator formats with the ruff beside it.
  const PATH = [join(work, "environment/bin"), process.env.PATH].join(delimiter);
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: work,
    encoding: "utf8",
    env: { ...process.env, PATH },
  });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? ""}${stdout ?? ""}${stderr ?? ""}`);
}
