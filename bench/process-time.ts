import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Microseconds of a tick, in which Linux counts the time of processes. */
const TICK = 10_000;

/** Microseconds that the main thread of a process has run. Undefined where there is no /proc. */
export async function readProcessorTime(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, "utf8").catch(() => undefined);
  return timeOf(stat);
}

function timeOf(stat: string | undefined): number | undefined {
  // The name of the process comes second, in brackets, and may have spaces in it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK;
}

/** Microseconds that all threads of a process have run. Undefined where there is no /proc. */
export async function readProcessTime(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return timeOf(stat);
}

/** The processes that a process has started. */
export async function listChildren(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=", "--ppid", String(pid)]).catch(() => ({
    stdout: "",
  }));
  return stdout.split("\n").filter(Boolean).map(Number);
}

/** The process that has started a process. */
export async function readParent(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "ppid=", "-p", String(pid)]);
  return Number(stdout);
}

/** Bytes of memory that a process has resident. */
export async function readResidentMemory(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Number(stdout) * 1024;
}
