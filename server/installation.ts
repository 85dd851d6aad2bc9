import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The folder of the product: a checkout, or what `npm run build` made. It has `package.json`, the built pages, the
 * migrations and the packages. It may be read-only, and need not be the current folder.
 */
export const INSTALLATION = findInstallation(import.meta.dirname);

function findInstallation(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error("the folder of Allowance has no package.json");
  return findInstallation(parent);
}
