import { readdirSync, readFileSync } from "node:fs";

/** A file of the project: its path from the root, and its text. */
export interface Source {
  path: string;
  text: string;
}

/** The files of some folders whose path matches, without what is generated. */
export function readSources(folders: string[], pattern: RegExp): Source[] {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => `${folder}/${String(file)}`))
    .filter((path) => pattern.test(path) && !path.startsWith("prisma/generated/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}
