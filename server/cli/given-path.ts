import { resolve } from "node:path";

/**
 * The path of a file that somebody has named on the command line. It counts from the folder where they typed the command: npm
 * keeps that folder in `INIT_CWD`, because it runs commands in the folder of the package.
 */
export function givenPath(file: string): string {
  return resolve(process.env.INIT_CWD ?? ".", file);
}
