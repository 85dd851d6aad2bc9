import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/**
 * The folder of the product: a checkout, or what `npm run build` made. It has `package.json`, the built pages, the
 * migrations and the packages. It may be read-only, and need not be the current folder.
 */
export const INSTALLATION = findInstallation(import.meta.dirname);

/** What the command line begins with that makes an account. */
export const ACCOUNT_CREATE = accountCreate(join(INSTALLATION, "allowance.mjs"));

function accountCreate(launcher: string): string {
  // A checkout has npm for that.
  if (!existsSync(launcher)) return "npm run -s account:create --";
  // The image has a program of this name, and so has a service of systemd: it knows the settings and the user.
  const isInstalled = (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, "allowance")));
  return `${isInstalled ? "allowance" : `node ${launcher}`} account create`;
}

function findInstallation(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error("the folder of Allowance has no package.json");
  return findInstallation(parent);
}
