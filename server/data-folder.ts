import { access, mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes the data folder, and the folders above it, where they are missing. `mkdir` of Node.js with `recursive` never ends where
 * the system makes no folder in one that is there, as in `/proc`.
 * @throws an error of the file system.
 */
export async function makeDataFolder(path: string): Promise<void> {
  if (await isThere(path)) return;
  await makeDataFolder(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    // Another process started at the same time and was faster.
    if (!(await isThere(path))) throw error;
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
