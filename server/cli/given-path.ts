import { statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "./usage";

/**
 * The path of a file that somebody has named on the command line. It counts from the folder where they typed the command: npm
 * keeps that folder in `INIT_CWD`, because it runs commands in the folder of the package.
 * @throws {UsageError} when the path is `-`, which means a stream elsewhere, or that of a folder.
 */
export function givenPath(file: string): string {
  if (file === "-") throw new UsageError("FILE: must be the path of a file, and - is none; write ./- where it is");
  const path = resolve(process.env.INIT_CWD ?? ".", file);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError("FILE: is a folder, and no file");
  return path;
}
