import { type ChildProcess, execFile, spawn } from "node:child_process";
import { open, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { type Cluster, choosePort, isPortFree, readPort } from "./cluster";

/** The advisory lock that each process which uses the embedded PostgreSQL shares. */
export const USER_LOCK = 7_260_002;

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
 * Starts PostgreSQL on a cluster, in a process group of its own: a signal from the terminal must not stop it while this
 * process still finishes requests.
 * @returns the process. It may still fail: when another process starts PostgreSQL on the same cluster, this one ends.
 */
export async function startPostmaster(cluster: Cluster): Promise<ChildProcess> {
  const log = await open(logFile(cluster), "a", 0o600);
  try {
    const { program, directory, user } = cluster;
    const child = spawn(program, ["-D", directory, ...QUIET], {
      ...user,
      cwd: directory,
      // Whoever may read the environment of PostgreSQL finds none of the secrets in that of this process. It needs nothing.
      env: {} as NodeJS.ProcessEnv,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    child.on("error", () => {});
    child.unref();
    return child;
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

/** The last lines of the log of PostgreSQL, for an error message. */
export async function logTail(cluster: Cluster): Promise<string> {
  const text = await readFile(logFile(cluster), "utf8").catch(() => "");
  return text.trim().split("\n").slice(-3).join(" | ");
}

function logFile({ directory }: Cluster): string {
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
