import { type ChildProcess, execFile, spawn } from "node:child_process";
import { copyFile, open, readFile, realpath, rm, stat, statfs, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { isOfUnusablePath } from "../unusable-path";
import { type Cluster, choosePort, isPortFree, readPort } from "./cluster";
import { lastComplaints } from "./complaints";
import { sharedBuffers } from "./shared-buffers";

/** PostgreSQL did not start or stop. The message says why. */
export class PostmasterError extends Error {}

/**
 * What PostgreSQL writes of a statement that fails: the error alone. The statement, its parameters and the row may contain
 * a secret. These are options of the start, so that they hold for clusters of older versions too.
 */
const QUIET = [
  "log_error_verbosity=terse",
  "log_min_error_statement=panic",
  "log_min_duration_statement=-1",
  "log_statement=none",
  "log_parameter_max_length=0",
  "log_parameter_max_length_on_error=0",
].flatMap((setting) => ["-c", setting]);

/**
 * Each statement takes memory and gives it back. Without this, the C library of Linux hands it back to the system each time,
 * and the next statement asks for it again: about 100 of the 750 microseconds that a decision on one key takes PostgreSQL. So
 * a process keeps up to 2 MB. Other systems do not read this.
 */
const ENVIRONMENT = { MALLOC_TOP_PAD_: "524288", MALLOC_TRIM_THRESHOLD_: "2097152" };

/** A start of PostgreSQL, which may have failed by now. */
export interface Postmaster {
  /** Whether it has ended. */
  hasEnded(): boolean;
  /** How it ended: its exit code, the signal, or why it could not be started at all. */
  ending(): string;
  /** What it has written into its log since it was started: the last lines. */
  complaints(): Promise<string[]>;
}

/**
 * Starts PostgreSQL on a cluster, in a process group of its own: a signal from the terminal must not stop it while this
 * process still finishes requests.
 * @returns the process. It may still fail: when another process starts PostgreSQL on the same cluster, this one ends.
 */
export async function startPostmaster(cluster: Cluster): Promise<Postmaster> {
  const log = await open(logFile(cluster), "a", 0o600);
  const begun = await logEnd(cluster);
  try {
    const { program, directory, user } = cluster;
    const child = spawn(program, ["-D", directory, ...QUIET, ...(await sharedBuffers(cluster))], {
      ...user,
      cwd: directory,
      // Whoever may read the environment of PostgreSQL finds none of the secrets in that of this process.
      env: ENVIRONMENT as unknown as NodeJS.ProcessEnv,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    let failure: NodeJS.ErrnoException | undefined;
    child.on("error", (error) => {
      failure = error;
    });
    child.unref();
    return {
      hasEnded: () => failure !== undefined || child.exitCode !== null || child.signalCode !== null,
      ending: () => endingOf(child, failure),
      complaints: () => linesSince(cluster, begun),
    };
  } finally {
    await log.close();
  }
}

/** Stops PostgreSQL: it ends all connections in order (SIGINT), and after 10 s at once (SIGQUIT). */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  for (const [signal, seconds] of [
    ["SIGINT", 10],
    ["SIGQUIT", 10],
  ] as const) {
    const pid = await findPostmaster(cluster);
    if (pid === undefined) return;
    process.kill(pid, signal);
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await delay(20)) {
      if (!(await isPostmaster(pid, cluster))) return;
    }
  }
  throw new PostmasterError(`PostgreSQL in ${cluster.directory} does not stop`);
}

/**
 * The process id of the PostgreSQL that runs on a cluster. After a crash the lock file may have the number of another
 * program. PostgreSQL would take that program for a running server, so this removes such a file.
 */
export async function findPostmaster(cluster: Cluster): Promise<number | undefined> {
  const lock = join(cluster.directory, "postmaster.pid");
  const pid = Number((await readFile(lock, "utf8").catch(() => "")).split("\n")[0]);
  if (!(pid > 0) || !isAlive(pid)) return undefined;
  if (await isPostmaster(pid, cluster)) return pid;
  await rm(lock, { force: true });
  return undefined;
}

/** The port that PostgreSQL listens on (its lock file names it), or will listen on (its settings name it). */
export async function findPort(cluster: Cluster): Promise<number> {
  const lock = await readFile(join(cluster.directory, "postmaster.pid"), "utf8").catch(() => "");
  return Number(lock.split("\n")[3]) || readPort(cluster);
}

/** Moves the cluster to another port when another program uses its port. Only while PostgreSQL does not run. */
export async function leaveTakenPort(cluster: Cluster): Promise<void> {
  if (!(await isPortFree(await readPort(cluster)))) await choosePort(cluster);
}

/** Where the log of PostgreSQL ends now, in bytes. */
export async function logEnd(cluster: Pick<Cluster, "directory">): Promise<number> {
  return (await stat(logFile(cluster)).catch(() => undefined))?.size ?? 0;
}

const MEGABYTE = 1024 * 1024;

/** PostgreSQL writes two lines for each checkpoint, and one for each error. */
const MOST_LOG_BYTES = 16 * MEGABYTE;

/**
 * Empties the log of PostgreSQL when it is larger than 16 MB, so that it does not fill the disk in years. What stood in it is
 * `postgres.log.1` then, in the place of an older one. PostgreSQL keeps the file open and writes on at its end, so the file is
 * copied, and not renamed.
 * @returns whether it was emptied.
 */
export async function shortenLog(cluster: Pick<Cluster, "directory">): Promise<boolean> {
  if ((await logEnd(cluster)) <= MOST_LOG_BYTES) return false;
  const file = logFile(cluster);
  await copyFile(file, `${file}.1`);
  await truncate(file);
  return true;
}

/** The end of the log is enough, however much stands before it. */
const MOST_BYTES = 16_384;

/**
 * The last complaints in the log of PostgreSQL, from a place on. Where there are none, its last lines. The log has neither
 * statements nor rows (`QUIET`), so it has no secret.
 */
export async function linesSince(cluster: Cluster, begin: number): Promise<string[]> {
  const end = await logEnd(cluster);
  const from = Math.max(begin, end - MOST_BYTES);
  const log = await open(logFile(cluster)).catch(() => undefined);
  if (log === undefined || end <= from) return log?.close().then(() => []) ?? [];
  try {
    const { buffer, bytesRead } = await log.read(Buffer.alloc(end - from), 0, end - from, from);
    return lastComplaints(buffer.toString("utf8", 0, bytesRead));
  } finally {
    await log.close();
  }
}

/**
 * Whether less than 1 MB is left on the disk of a cluster. Its log is on that disk too, so what PostgreSQL says of a start
 * that failed is cut off or missing then.
 */
export async function isDiskFull(cluster: Pick<Cluster, "directory">): Promise<boolean> {
  return (await roomOf(cluster)) < MEGABYTE;
}

async function roomOf({ directory }: Pick<Cluster, "directory">): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** A file of the journal. PostgreSQL does not start where it needs a new one and has no room for it. */
const JOURNAL_FILE_BYTES = 16 * MEGABYTE;

/** Why PostgreSQL cannot be started, as far as its disk shows it. */
export type DiskFault = "database_disk_full" | "database_files";

/** What the disk of a cluster lacks for a start: room, the folder, or a log that can be written. */
export async function diskFault(place: string): Promise<DiskFault | undefined> {
  try {
    // The log is beside the cluster, and not beside a link to it.
    const cluster = { directory: await realpath(place) };
    if ((await roomOf(cluster)) < JOURNAL_FILE_BYTES) return "database_disk_full";
    await (await open(logFile(cluster), "a", 0o600)).close();
    return undefined;
  } catch (error) {
    return isOfUnusablePath(error) ? "database_files" : undefined;
  }
}

function endingOf({ exitCode, signalCode }: ChildProcess, failure: NodeJS.ErrnoException | undefined): string {
  if (failure) return `its program cannot be run (${failure.code})`;
  return signalCode === null ? `it ended with exit code ${exitCode}` : `it was ended by ${signalCode}`;
}

function logFile({ directory }: Pick<Cluster, "directory">): string {
  return join(dirname(directory), "postgres.log");
}

/** Whether a process is the PostgreSQL of this cluster. A process that has ended may still have a number, but no command. */
async function isPostmaster(pid: number, { directory }: Cluster): Promise<boolean> {
  return isAlive(pid) && (await commandOf(pid)).includes(directory);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function commandOf(pid: number): Promise<string> {
  const fromProc = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  if (fromProc !== undefined) return fromProc;
  const { stdout } = await promisify(execFile)("ps", ["-p", String(pid), "-o", "command="]).catch(() => ({
    stdout: "",
  }));
  return stdout;
}
