import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Which programs of Debian's packages are on PATH. What is missing is installed, where that is allowed. */
export async function installDebian(...programs: string[]): Promise<string[]> {
  const missing = await absent(programs);
  if (missing.length > 0 && process.getuid?.() === 0) {
    await succeeds("apt-get", "update");
    await succeeds("apt-get", "install", "-y", "--no-install-recommends", ...missing);
  }
  const stillMissing = await absent(programs);
  for (const program of stillMissing) console.log(`skipped: ${program}. It is not on PATH, and cannot be installed.`);
  return programs.filter((program) => !stillMissing.includes(program));
}

/**
 * Installs packages of PyPI into a folder.
 * @returns the folder of the programs, with a `python` that has the packages; undefined where they cannot be had.
 */
export async function installPython(folder: string, ...requirements: string[]): Promise<string | undefined> {
  const programs = join(folder, "venv/bin");
  // Without compiling, because most modules of a package are never used; Python compiles those that are.
  const isInstalled =
    (await succeeds("python3", "-m", "venv", join(folder, "venv"))) &&
    (await succeeds(join(programs, "python"), "-m", "pip", "install", "--quiet", "--no-compile", ...requirements));
  if (isInstalled) return programs;
  console.log(`skipped: ${requirements.join(", ")}. Python 3 or the packages cannot be had.`);
  return undefined;
}

/** Installs packages of npm into a folder. @returns whether they could be had. */
export async function installNode(folder: string, ...packages: string[]): Promise<boolean> {
  const isInstalled = await succeeds("npm", "install", "--prefix", folder, "--no-audit", "--no-fund", ...packages);
  if (!isInstalled) console.log(`skipped: ${packages.join(", ")}. The packages cannot be had.`);
  return isInstalled;
}

async function absent(programs: string[]): Promise<string[]> {
  const found = await Promise.all(programs.map((program) => succeeds("which", program)));
  return programs.filter((_, index) => !found[index]);
}

async function succeeds(program: string, ...args: string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const ended = once(spawn(program, args, { env, stdio: "ignore" }), "exit");
  return ended.then(
    ([code]) => code === 0,
    () => false,
  );
}
