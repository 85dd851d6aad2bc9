import { createHash, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Config, ConfigError, ENVIRONMENT } from "../config";
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

async function ownSecret({ dataDir }: Config): Promise<string> {
  const file = fileIn(dataDir);
  const secret = await readOrMake(file).catch((error: unknown) => {
    const message = `AUTH_SECRET: cannot be kept in ${file}; set it. ${(error as Error).message}`;
    throw isOfUnusablePath(error) ? new ConfigError(message) : new Error(message);
  });
  if (isSecret(secret)) return secret;
  throw new ConfigError(`AUTH_SECRET: ${file} has lost the secret; ${WAYS_BACK}`);
}

/** What to do where a file has lost the secret. */
export const WAYS_BACK =
  "set AUTH_SECRET to the one in a backup, or delete the file, which ends all sessions and loses all second factors";

/** Whether a text can be the secret. A file may lose its content when its machine loses power. */
export function isSecret(text: string): boolean {
  return ENVIRONMENT.shape.AUTH_SECRET.safeParse(text).success;
}

async function readOrMake(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  return readFile(file, "utf8").catch(() => makeSecret(file));
}

/** The secret that the data folder keeps. Undefined: it keeps none, or `AUTH_SECRET` is used in its place. */
export async function keptSecret({ authSecret: given, dataDir }: Config): Promise<string | undefined> {
  if (given !== undefined) return undefined;
  const kept = await readFile(fileIn(dataDir), "utf8").catch(() => "");
  return isSecret(kept) ? kept : undefined;
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
  await mkdir(dataDir, { recursive: true });
  await writeFile(path, secret, { mode: 0o600, flush: true });
  return { path, target, keep: () => rename(path, target), discard: () => rm(path, { force: true }) };
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
  return readFile(file, "utf8");
}
