import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The folder of the product: a checkout, or what `npm run build` made. It has `package.json`, the built pages, the
 * migrations and the packages. It may be read-only, and need not be the current folder.
 */
export const INSTALLATION = findInstallation(import.meta.dirname);

/** What starts the commands of a built folder. A checkout has npm for that. */
export const LAUNCHER = existsSync(join(INSTALLATION, "allowance.mjs"))
  ? join(INSTALLATION, "allowance.mjs")
  : undefined;

function findInstallation(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error("the folder of Allowance has no package.json");
  return findInstallation(parent);
}
