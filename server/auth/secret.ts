import { createHash, randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Config, ConfigError, ENVIRONMENT } from "../config";
import { makeDataFolder } from "../data-folder";
import { flushFolder } from "../flushed-folder";
import { isOfUnusablePath } from "../unusable-path";

/** The secrets that sign cookies and encrypt second factors. */
export interface AuthSecrets {
  /** The one for all that is new. */
  current: string;
  /** Earlier ones, the oldest last. What they have signed and encrypted stays good. */
  previous: readonly string[];
}

/**
 * The secrets of this deployment: `AUTH_SECRET`, or one that is made once and kept in the data folder, in a file that only
 * its owner can read; and `AUTH_SECRET_PREVIOUS`.
 * @throws {ConfigError} when there is none and none can be kept.
 */
export async function authSecrets(config: Config): Promise<AuthSecrets> {
  const current = config.authSecret ?? (await ownSecret(config));
  return { current, previous: [...new Set(config.previousAuthSecrets)].filter((secret) => secret !== current) };
}

/**
 * A number that stands for a secret in what it has encrypted, so that a reader knows which one it needs. It is the same in
 * every list, and 48 bits of a hash tell nothing that the encrypted text itself does not.
 */
export function versionOf(secret: string): number {
  return createHash("sha256").update(`version of ${secret}`).digest().readUIntBE(0, 6);
}

async function ownSecret(config: Config): Promise<string> {
  const kept = (await keptSecret(config)) ?? (await madeSecret(fileIn(config.dataDir)));
  if ("secret" in kept) return kept.secret;
  const message = `AUTH_SECRET: ${kept.fault}; ${kept.todo}`;
  throw kept.mayPass ? new Error(message) : new ConfigError(message);
}

async function madeSecret(file: string): Promise<KeptSecret> {
  try {
    await makeDataFolder(dirname(file));
    return secretIn(file, await makeSecret(file));
  } catch (error) {
    const message = `AUTH_SECRET: cannot be kept in ${file}; set it. ${(error as Error).message}`;
    throw isOfUnusablePath(error) ? new ConfigError(message) : new Error(message);
  }
}

/**
 * The secret that a data folder keeps; or what is wrong with its file, and what to do, without the content. `mayPass`: the next
 * start may be able to read it.
 */
type KeptSecret = { secret: string } | { fault: string; todo: string; mayPass?: boolean };

function secretIn(file: string, text: string): KeptSecret {
  if (ENVIRONMENT.shape.AUTH_SECRET.safeParse(text).success) return { secret: text };
  if (text !== "") {
    const todo = "put a longer one there, or delete the file; both end all sessions and lose all second factors";
    return { fault: `${file} is shorter than 32 characters`, todo };
  }
  // A file may lose its content when its machine loses power.
  return {
    fault: `${file} has lost the secret`,
    todo: "set AUTH_SECRET to the one in a backup, or delete the file, which ends all sessions and loses all second factors",
  };
}

/** What the data folder keeps. Undefined: there is no file, because `AUTH_SECRET` was always set, or no server was started. */
export async function keptSecret({ dataDir }: Config): Promise<KeptSecret | undefined> {
  const file = fileIn(dataDir);
  try {
    return secretIn(file, await readFile(file, "utf8"));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    const isDenied = code === "EACCES" || code === "EPERM";
    const way = isDenied ? "run as its owner" : "it must be a file in the folder that DATA_DIR names; correct that";
    return {
      fault: `${file} cannot be read: ${code}`,
      todo: `${way}, or set AUTH_SECRET`,
      mayPass: !isOfUnusablePath(error),
    };
  }
}

/** A secret beside the one that the data folder keeps. */
export interface SecretDraft {
  /** Where it is. */
  path: string;
  /** Where it is to be kept. */
  target: string;
  /** Puts it in the place of that one. */
  keep(): Promise<void>;
  /** Forgets it where it was not kept. */
  discard(): Promise<void>;
}

/** Writes a secret, for example from a backup, that is to take the place of the one that the data folder keeps. */
export async function draftSecret(dataDir: string, secret: string): Promise<SecretDraft> {
  const target = fileIn(dataDir);
  const path = `${target}.${process.pid}`;
  await makeDataFolder(dataDir);
  await writeFile(path, secret, { mode: 0o600, flush: true });
  const keep = () => rename(path, target).then(() => flushFolder(dataDir));
  return { path, target, keep, discard: () => rm(path, { force: true }) };
}

function fileIn(dataDir: string): string {
  return join(dataDir, "auth-secret");
}

/** Writes another file first and links it, so that two servers that start at once both read the secret of the first. */
async function makeSecret(file: string): Promise<string> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
  try {
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await flushFolder(dirname(file));
  return readFile(file, "utf8");
}
