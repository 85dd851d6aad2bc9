import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = ".build";
const LIST = join(FOLDER, "server-files.json");

/** The names of the files in `.build` of which the server that was built last consists. */
export function serverFiles() {
  return JSON.parse(readFileSync(LIST, "utf8"));
}

/**
 * Notes of which files a new build consists. A server that runs from the build before loads some of its files only when they
 * are needed, so these stay until the next build. Older ones are removed.
 */
export function noteServerFiles(made) {
  const before = existsSync(LIST) ? serverFiles() : readdirSync(FOLDER);
  const kept = new Set([...made, ...before]);
  for (const file of readdirSync(FOLDER)) {
    if (/\.js(\.map)?$/.test(file) && !kept.has(file)) rmSync(join(FOLDER, file));
  }
  writeFileSync(LIST, JSON.stringify(made));
}
