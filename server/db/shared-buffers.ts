import { readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { Cluster } from "./cluster";

/** What `initdb` writes into each cluster. */
const OF_INITDB = "128MB";
const SETTING = /^\s*shared_buffers(?:\s*=\s*|\s+)'?([^'#\n]*?)'?\s*(#.*)?$/gim;
const MEGABYTE = 2 ** 20;
const LEAST_MB = 128;
const MOST_MB = 1024;
/** The rest is for this process, for sorts, and for the files that the system keeps in memory. */
const SHARE_OF_MEMORY = 8;

/**
 * How much memory PostgreSQL keeps rows and indexes in, in MB: an eighth of that of the machine or the container, from 128 MB
 * to 1 GB. Lists read all keys of an account: with a million, these are 313 MB, and are copied for each list where they do not
 * fit. PostgreSQL takes only what it uses of it.
 */
export function buffersFor(memoryBytes: number): number {
  return Math.min(MOST_MB, Math.max(LEAST_MB, Math.floor(memoryBytes / MEGABYTE / SHARE_OF_MEMORY)));
}

/** The memory that this process and its PostgreSQL may take, in bytes. */
function availableMemory(): number {
  // 0, or more than there is, where no container sets a bound.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/**
 * The option of a start of PostgreSQL. It is worked out at each start, because a container may get another bound. None where
 * the operator has set another value than that of `initdb` in a file of settings, or with `ALTER SYSTEM`.
 */
export async function sharedBuffers({ directory }: Pick<Cluster, "directory">): Promise<string[]> {
  for (const file of ["postgresql.conf", "postgresql.auto.conf"]) {
    // PostgreSQL starts without the second one, and says itself what is wrong with the first.
    const text = await readFile(join(directory, file), "utf8").catch(() => "");
    if ([...text.matchAll(SETTING)].some(([, value]) => value !== OF_INITDB)) return [];
  }
  return ["-c", `shared_buffers=${buffersFor(availableMemory())}MB`];
}
