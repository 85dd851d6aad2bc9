import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Config, ConfigError } from "../config";

/**
 * The secret that signs cookies and encrypts second factors: `AUTH_SECRET`, or one that is made once and kept in the data
 * folder, in a file that only its owner can read.
 * @throws {ConfigError} when there is none and none can be kept.
 */
export async function authSecret({ authSecret: given, dataDir }: Config): Promise<string> {
  if (given !== undefined) return given;
  const file = join(dataDir, "auth-secret");
  try {
    await mkdir(dataDir, { recursive: true });
    return await readFile(file, "utf8").catch(() => makeSecret(file));
  } catch (error) {
    throw new ConfigError(`AUTH_SECRET: cannot be kept in ${file}; set it. ${(error as Error).message}`);
  }
}

/** Writes another file first and links it, so that two servers that start at once both read the secret of the first. */
async function makeSecret(file: string): Promise<string> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, randomBytes(32).toString("base64url"), { mode: 0o600 });
  try {
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(file, "utf8");
}
