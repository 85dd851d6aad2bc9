/** Codes of Node.js for a path that is no folder or file, or that this user may not use. */
const UNUSABLE = new Set([
  "EACCES",
  "EEXIST",
  "EISDIR",
  "ELOOP",
  "ENAMETOOLONG",
  "ENOENT",
  "ENOTDIR",
  "EPERM",
  "EROFS",
]);

/** Whether an error is of a path that cannot be used, also later. A full disk may get room. */
export function isOfUnusablePath(error: unknown): boolean {
  return UNUSABLE.has((error as NodeJS.ErrnoException).code ?? "");
}
