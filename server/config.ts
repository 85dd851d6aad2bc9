import { resolve } from "node:path";
import { z } from "zod";
import { KEY_PREFIX_PATTERN } from "./keys/key-value";

/** A setting that the process cannot start with. The message names the variable and says what it must be. */
export class ConfigError extends Error {}

const environment = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((port) => port <= 65535, "must be a port number from 0 to 65535")
    .default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must begin with postgresql://")
    .refine(URL.canParse, "must be a URL, with special characters of the password percent-encoded")
    .optional(),
  KEY_PREFIX: z
    .string()
    .regex(KEY_PREFIX_PATTERN, "must be 3 characters out of letters, digits, - and _")
    .default("sk-"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
});

export interface Config {
  port: number;
  /** Absent: every address of the machine. */
  host: string | undefined;
  /** Absolute path of the folder of the embedded database. */
  dataDir: string;
  /** Absent: the embedded database. */
  databaseUrl: string | undefined;
  keyPrefix: string;
  logLevel: z.infer<typeof environment>["LOG_LEVEL"];
}

/**
 * Reads and checks every environment variable the service knows. An empty variable counts as absent.
 * @throws {ConfigError} naming each variable at fault.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "));
  }
  const { PORT, HOST, DATA_DIR, DATABASE_URL, KEY_PREFIX, LOG_LEVEL } = parsed.data;
  return {
    port: PORT,
    host: HOST,
    dataDir: resolve(DATA_DIR),
    databaseUrl: DATABASE_URL,
    keyPrefix: KEY_PREFIX,
    logLevel: LOG_LEVEL,
  };
}
