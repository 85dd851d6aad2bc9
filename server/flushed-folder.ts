import { type FileHandle, open } from "node:fs/promises";

/** What file systems answer that cannot do this with a folder, or with one that may not be listed. */
const UNABLE = new Set(["EACCES", "EBADF", "EINVAL", "EISDIR", "ENOSYS", "ENOTSUP", "EPERM"]);

/**
 * Brings the names in a folder to the disk: those of files that were made, linked or renamed in it. Without it, a loss of power
 * soon after takes a name back, also of a file whose content is on the disk.
 */
export async function flushFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined;
  try {
    folder = await open(path);
    await folder.sync();
  } catch (error) {
    if (!UNABLE.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    await folder?.close();
  }
}
