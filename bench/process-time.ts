import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Microseconds of a tick, in which Linux counts the time of processes. */
const TICK = 10_000;

/** Microseconds that the main thread of a process has run. Undefined where there is no /proc. */
export async function readProcessorTime(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, "utf8").catch(() => undefined);
  // The name of the process comes second, in brackets, and may have spaces in it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK;
}

/** Bytes of memory that a process has resident. */
export async function readResidentMemory(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Number(stdout) * 1024;
}
