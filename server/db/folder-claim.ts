import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, readlink, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { makeDataFolder } from "../data-folder";

/** A process of another container uses the data folder. */
class FolderInOtherContainer extends Error {}

/** The socket of a claim, with the number of its container. */
const CLAIM = /^in-use-(\d+)-[0-9a-f]+$/;

/**
 * Claims a data folder for the processes of this container. Containers that share a volume see neither each other's processes
 * nor each other's ports: a process of the second one would take PostgreSQL for dead, and start another one on the same files,
 * which damages them. Both can connect to a socket in the folder, and nobody can after its process has ended, however it ended.
 * Where the folder cannot hold a socket, and on other systems than Linux, nothing is claimed.
 * @returns a function that gives the claim back.
 * @throws {FolderInOtherContainer}
 */
export async function claimFolder(dataDir: string): Promise<() => Promise<void>> {
  const container = await numberOfContainer();
  if (container === undefined) return async () => {};
  await makeDataFolder(dataDir);
  const own = `in-use-${container}-${randomBytes(4).toString("hex")}`;
  // The claim is there before others are looked for. Of two that come at the same time, none goes on without the other's leave.
  const release = await listen(join(dataDir, own));
  for (const name of await readdir(dataDir)) {
    const other = CLAIM.exec(name)?.[1];
    if (other === undefined || name === own) continue;
    const socket = join(dataDir, name);
    const isHeld = await answers(socket);
    if (isHeld === false) await rm(socket, { force: true });
    if (isHeld && other !== container) {
      await release();
      throw new FolderInOtherContainer(
        "a process in another container uses this data folder; run commands in that container, or stop it first",
      );
    }
  }
  return release;
}

/** The number of the name space that process ids are of. Containers have one each. Undefined: not on Linux. */
async function numberOfContainer(): Promise<string | undefined> {
  const name = await readlink("/proc/self/ns/pid").catch(() => "");
  return /\d+/.exec(name)?.[0];
}

/** Listens on a socket where that is possible. */
async function listen(path: string): Promise<() => Promise<void>> {
  const server = createServer((connection) => connection.destroy());
  const listening = once(server, "listening");
  server.listen(path);
  try {
    await listening;
  } catch {
    // The path is too long, or the file system has no sockets.
    return async () => {};
  }
  server.unref();
  // Node.js removes the file too.
  return async () => void server.close();
}

/** Whether a process listens on a socket. Undefined: that cannot be found out. */
function answers(path: string): Promise<boolean | undefined> {
  return new Promise((answer) => {
    const connection = connect(path);
    connection.once("connect", () => {
      connection.destroy();
      answer(true);
    });
    connection.once("error", ({ code }: NodeJS.ErrnoException) =>
      answer(code === "ECONNREFUSED" || code === "ENOENT" ? false : undefined),
    );
  });
}
