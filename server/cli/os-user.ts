import { userInfo } from "node:os";

/** The user of the operating system who runs this command, before `sudo` where it was used; null: it has no name. */
export function osUser(): string | null {
  const { SUDO_USER: before } = process.env;
  if (before) return before;
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
