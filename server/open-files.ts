import { readFileSync } from "node:fs";

/** Connections to the database and a replica (58), probes, workers, files of pages and commands that are read. */
const FOR_OTHERS = 160;

/**
 * How many connections of clients this process may have, so that those to the database and files can still be opened when the
 * clients have used up the rest. Unbounded where the system does not tell how many files a process may open.
 */
export function mostConnections(): number {
  const limit = softLimit();
  return limit === undefined ? Number.POSITIVE_INFINITY : Math.max(limit - FOR_OTHERS, Math.floor(limit / 4));
}

function softLimit(): number | undefined {
  try {
    const [, text] = /^Max open files +(\d+) /m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return text === undefined ? undefined : Number(text);
  } catch {
    return undefined;
  }
}
