import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { gatewayUrl } from "./accounts/schema";
import { databaseUrl, faultOfPsql } from "./database-address";
import { expectedOneOf } from "./input/expectation";
import { KEY_PREFIX_PATTERN } from "./keys/key-value";
import { A_PORT, isPort } from "./port";

/** The process cannot start with a setting. The message names the variable and says what it must be. */
export class ConfigError extends Error {}

function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  return z.enum(choices, { error: expectedOneOf(choices) });
}

function days(least: number, most: number) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `must be a whole number of days from ${least} to ${most}`,
    )
    .transform(Number);
}

/** A token that clients send in a header. Characters outside ASCII do not come through one as they were set. */
const BEARER_TOKEN = /^[!-~]{32,}$/;
const BEARER_TOKEN_RULE = "must be at least 32 characters long, all of them ASCII, without spaces";

/** Every environment variable that the service reads. `.env.example` and the README describe each one. */
export const ENVIRONMENT = z.object({
  PORT: z.string().refine(isPort, `must be ${A_PORT}`).transform(Number).default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: databaseUrl.optional(),
  MIGRATION_DATABASE_URL: databaseUrl.optional(),
  KEY_PREFIX: z
    .string()
    .regex(KEY_PREFIX_PATTERN, "must be 3 characters out of letters, digits, - and _")
    .default("sk-"),
  LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, "must be http:// or https:// and a host, without a path")
    .transform((url) => new URL(url).origin)
    .optional(),
  TRUST_PROXY: z
    .string()
    .regex(/^\d$/, "must be the number of proxies in front, from 0 to 9")
    .transform(Number)
    .default(0),
  AUTH_SECRET: z.string().min(32, "must be at least 32 characters long").optional(),
  AUTH_SECRET_PREVIOUS: z
    .string()
    .transform((lines) => lines.split(/\r?\n/).filter((line) => line !== ""))
    .refine((secrets) => secrets.every(({ length }) => length >= 32), "each must be at least 32 characters long")
    .default([]),
  SIGN_UP: oneOf(["closed", "open"]).default("closed"),
  OIDC_ISSUER: z.url({ protocol: /^https?$/, error: "must be the address of an OpenID provider" }).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  GATEWAY_TOKENS: z
    .string()
    .transform((list) => list.split(",").map((token) => token.trim()))
    .refine((tokens) => tokens.every((token) => BEARER_TOKEN.test(token)), `each ${BEARER_TOKEN_RULE}`)
    .default([]),
  LEDGER_RETENTION_DAYS: days(31, 99999).default(400),
  MAX_OPEN_HOLDS: z
    .string()
    .refine((text) => /^[1-9]\d{0,5}$|^1000000$/.test(text), "must be a whole number from 1 to 1000000")
    .transform(Number)
    .default(1000),
  MAX_CAPTURE_FACTOR: z
    .string()
    .regex(/^[1-9]\d{0,5}(\.\d{1,9})?$/, "must be a number from 1, below 1000000, with at most 9 decimals")
    .transform(Number)
    .optional(),
  OIDC_SKIP_TOTP: z
    .enum(["true", "false"], "must be true or false")
    .transform((text) => text === "true")
    .default(false),
  SESSION_IDLE_DAYS: days(1, 30).default(7),
  ACCOUNT_CONCURRENCY: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, "must be a whole number from 1 to 9999")
    .transform(Number)
    .default(8),
  RATE_LIMIT_PER_MINUTE: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, "must be a whole number from 1 to 9999999")
    .transform(Number)
    .optional(),
  OIDC_NAME: z.string().max(64, "must be at most 64 characters long").default("SSO"),
  AUTH_SECRET_FILE: z.string().optional(),
  AUTH_SECRET_PREVIOUS_FILE: z.string().optional(),
  DATABASE_URL_FILE: z.string().optional(),
  GATEWAY_TOKENS_FILE: z.string().optional(),
  MIGRATION_DATABASE_URL_FILE: z.string().optional(),
  OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  DATABASE_READ_URL_FILE: z.string().optional(),
  LOG_FORMAT: oneOf(["pretty", "json"]).optional(),
  PREPARED_STATEMENTS: oneOf(["on", "off"]).default("on"),
  METRICS_TOKEN: z.string().regex(BEARER_TOKEN, BEARER_TOKEN_RULE).optional(),
  METRICS_TOKEN_FILE: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: "must be the address of a collector" }).optional(),
  OTEL_SERVICE_NAME: z.string().default("allowance"),
  OTEL_TRACES_SAMPLER: oneOf([
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
  ]).default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, "must be a number from 0 to 1")
    .transform(Number)
    .default(1),
  WORKERS: z
    .string()
    .regex(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, "must be auto, or a whole number from 1 to 64")
    .transform((text) => (text === "auto" ? Math.min(64, availableParallelism()) : Number(text)))
    .default(1),
  GATEWAY_URL: gatewayUrl.optional(),
  ACTIVITY_RETENTION_DAYS: days(1, 99999).default(14),
});

/** A variable whose value may stand in a file instead: `AUTH_SECRET_FILE` names that of `AUTH_SECRET`. */
type FileVariable = Extract<keyof typeof ENVIRONMENT.shape, `${string}_FILE`>;
const FILE_VARIABLES = Object.keys(ENVIRONMENT.shape).filter((name): name is FileVariable => name.endsWith("_FILE"));

/** An OpenID provider whose accounts may sign in. */
export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The label of the button. */
  name: string;
  /** Whether it asks for a second factor itself, so that that of the account is not asked for. */
  skipsSecondFactor: boolean;
}

/** How traces are written. The exporter itself reads `OTEL_EXPORTER_OTLP_*` from the environment. */
export interface TracingConfig {
  serviceName: string;
  /** Which requests are traced. */
  sampler: z.infer<typeof ENVIRONMENT>["OTEL_TRACES_SAMPLER"];
  /** The share of requests that the samplers of a ratio trace, from 0 to 1. */
  ratio: number;
}

/** Addresses of one database. They are equal where one role does both. */
export interface DatabaseUrls {
  /** For the role that serves. */
  url: string;
  /** For the role that owns the tables and migrates them. */
  ownerUrl: string;
}

export interface Config {
  port: number;
  /** Absent: every address of the machine. */
  host: string | undefined;
  /** Absolute path of the folder of the embedded database. */
  dataDir: string;
  /** Absent: the embedded database. */
  database: DatabaseUrls | undefined;
  keyPrefix: string;
  logLevel: z.infer<typeof ENVIRONMENT>["LOG_LEVEL"];
  /** Origin under which browsers reach the service. Absent: it is read from each request. */
  publicUrl: string | undefined;
  /** How many proxies are in front. Each adds an address to `X-Forwarded-For`. */
  proxies: number;
  /** The secret that signs cookies and encrypts second factors. Absent: the first start makes one in `dataDir`. */
  authSecret: string | undefined;
  /** Earlier secrets of the same kind, the oldest last. */
  previousAuthSecrets: string[];
  /** Whether anyone may make an account. */
  isSignUpOpen: boolean;
  /** The tokens with which gateways of the operator authorize spend on the keys of every account. */
  gatewayTokens: string[];
  /** For how many days the ledger keeps each capture. Totals of days are kept for good. */
  ledgerRetentionDays: number;
  /** How many authorizations of one key may be open at a time. */
  maxOpenHolds: number;
  /** A capture may be at most so many times its hold. Absent: any amount. */
  maxCaptureFactor: number | undefined;
  /** After how many days without use a session ends. */
  sessionIdleDays: number;
  /** The most requests of one account that are under way at once, in all workers of this machine together. */
  accountConcurrency: number;
  /** The most requests of one key in a minute, in all workers of this machine together. Absent: there is no such limit. */
  rateLimitPerMinute: number | undefined;
  /** Absent: no single sign-on. */
  oidc: OidcProvider | undefined;
  /** A streaming replica of `database`, for reads of lists. Absent: `database` answers them. */
  readUrl: string | undefined;
  /** Absent: `pretty` where stdout is a terminal, else `json`. */
  logFormat: "pretty" | "json" | undefined;
  /** Whether prepared statements have names. A pooler in transaction mode may know none. */
  usesNamedStatements: boolean;
  /** What a reader of `/metrics` must send. Absent: whoever reaches the port may read it. */
  metricsToken: string | undefined;
  /** Absent: no traces. */
  tracing: TracingConfig | undefined;
  /** How many processes serve on the port. With 1, the process that was started serves itself. */
  workers: number;
  /** Address of the gateway that keys are used at, without a slash at the end. Absent: each account is asked for it. */
  gatewayUrl: string | undefined;
  /** For how many days the activity of a key goes back. Never further than the ledger. */
  activityRetentionDays: number;
}

/**
 * Variables of `psql` that `pg` reads too. They change how every connection speaks, also to the embedded database, whatever
 * its address says.
 */
const OF_PSQL = ["PGOPTIONS", "PGREPLICATION", "PGSSLNEGOTIATION"];

/**
 * Reads and checks every environment variable the service knows. An empty variable counts as absent. Those that are meant for
 * `psql` are deleted.
 * @throws {ConfigError} naming each variable at fault.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  for (const name of OF_PSQL) delete env[name];
  const given = withFiles(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== "")));
  const blank = Object.keys(ENVIRONMENT.shape).filter((name) => given[name]?.trim() === "");
  if (blank.length > 0) throw new ConfigError(`${blank.join(", ")}: must have more than white space, or be empty`);
  const parsed = ENVIRONMENT.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "));
  }
  const { DATABASE_URL, MIGRATION_DATABASE_URL, DATABASE_READ_URL } = parsed.data;
  const fault = faultOfPsql(env, [DATABASE_URL, MIGRATION_DATABASE_URL, DATABASE_READ_URL]);
  if (fault !== undefined) throw new ConfigError(fault);
  const { PORT, HOST, DATA_DIR, KEY_PREFIX, LOG_LEVEL } = parsed.data;
  const { PUBLIC_URL, TRUST_PROXY, AUTH_SECRET, SIGN_UP } = parsed.data;
  return {
    port: PORT,
    host: HOST,
    dataDir: resolve(DATA_DIR),
    database: databaseUrls(parsed.data),
    keyPrefix: KEY_PREFIX,
    logLevel: LOG_LEVEL,
    publicUrl: PUBLIC_URL,
    proxies: TRUST_PROXY,
    authSecret: AUTH_SECRET,
    previousAuthSecrets: parsed.data.AUTH_SECRET_PREVIOUS,
    isSignUpOpen: SIGN_UP === "open",
    gatewayTokens: parsed.data.GATEWAY_TOKENS,
    ledgerRetentionDays: parsed.data.LEDGER_RETENTION_DAYS,
    maxOpenHolds: parsed.data.MAX_OPEN_HOLDS,
    maxCaptureFactor: parsed.data.MAX_CAPTURE_FACTOR,
    sessionIdleDays: parsed.data.SESSION_IDLE_DAYS,
    accountConcurrency: parsed.data.ACCOUNT_CONCURRENCY,
    rateLimitPerMinute: parsed.data.RATE_LIMIT_PER_MINUTE,
    oidc: oidcProvider(parsed.data),
    readUrl: readUrl(parsed.data),
    logFormat: parsed.data.LOG_FORMAT,
    usesNamedStatements: parsed.data.PREPARED_STATEMENTS === "on",
    metricsToken: parsed.data.METRICS_TOKEN,
    tracing: tracingConfig(parsed.data),
    workers: parsed.data.WORKERS,
    gatewayUrl: parsed.data.GATEWAY_URL,
    activityRetentionDays: activityRetentionDays(parsed.data),
  };
}

/**
 * Reads the values that stand in files. A newline at the end is no part of a value.
 * @throws {ConfigError} which has neither the content nor the path: somebody may have put the secret itself there.
 */
function withFiles(given: Record<string, string | undefined>): Record<string, string | undefined> {
  const values = { ...given };
  for (const variable of FILE_VARIABLES) {
    const path = given[variable];
    if (path === undefined) continue;
    const name = variable.replace(/_FILE$/, "");
    if (given[name] !== undefined) throw new ConfigError(`${name}, ${variable}: set one of them, not both`);
    try {
      values[name] = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    } catch (error) {
      throw new ConfigError(`${variable}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
    if (values[name] === "") throw new ConfigError(`${variable}: the file is empty`);
  }
  return values;
}

/** What has ended is deleted with the lines of the ledger, so there is no activity from before. */
function activityRetentionDays({
  ACTIVITY_RETENTION_DAYS: days,
  LEDGER_RETENTION_DAYS: most,
}: z.infer<typeof ENVIRONMENT>): number {
  if (days <= most) return days;
  throw new ConfigError(`ACTIVITY_RETENTION_DAYS: must be at most LEDGER_RETENTION_DAYS, which is ${most}`);
}

function databaseUrls(given: z.infer<typeof ENVIRONMENT>): DatabaseUrls | undefined {
  const { DATABASE_URL: url, MIGRATION_DATABASE_URL: ownerUrl } = given;
  if (url !== undefined) return { url, ownerUrl: ownerUrl ?? url };
  if (ownerUrl === undefined) return undefined;
  throw new ConfigError("MIGRATION_DATABASE_URL: needs DATABASE_URL; the embedded database has an owner of its own");
}

function readUrl({ DATABASE_URL: url, DATABASE_READ_URL: readUrl }: z.infer<typeof ENVIRONMENT>): string | undefined {
  if (readUrl === undefined || url !== undefined) return readUrl;
  throw new ConfigError("DATABASE_READ_URL: needs DATABASE_URL; the embedded database has no replica");
}

function oidcProvider(given: z.infer<typeof ENVIRONMENT>): OidcProvider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = given;
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    if (given.PUBLIC_URL === undefined) {
      throw new ConfigError("PUBLIC_URL: must be set with OIDC_ISSUER, because the provider sends browsers back to it");
    }
    return { issuer, clientId, clientSecret, name, skipsSecondFactor: given.OIDC_SKIP_TOTP };
  }
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  throw new ConfigError("OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: must be set all three, or none of them");
}

function tracingConfig(given: z.infer<typeof ENVIRONMENT>): TracingConfig | undefined {
  if (given.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  return {
    serviceName: given.OTEL_SERVICE_NAME,
    sampler: given.OTEL_TRACES_SAMPLER,
    ratio: given.OTEL_TRACES_SAMPLER_ARG,
  };
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { href, origin } = new URL(text);
  return href === `${origin}/`;
}
