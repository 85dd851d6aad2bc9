import { resolve } from "node:path";
import { z } from "zod";
import { KEY_PREFIX_PATTERN } from "./keys/key-value";

/** The process cannot start with a setting. The message names the variable and says what it must be. */
export class ConfigError extends Error {}

/** Every environment variable that the service reads. `.env.example` and the README describe each one. */
export const ENVIRONMENT = z.object({
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
  SIGN_UP: z.enum(["closed", "open"]).default("closed"),
  OIDC_ISSUER: z.url({ protocol: /^https?$/, error: "must be the address of an OpenID provider" }).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  GATEWAY_TOKENS: z
    .string()
    .transform((list) => list.split(",").map((token) => token.trim()))
    .refine((tokens) => tokens.every((token) => /^\S{32,}$/.test(token)), "each must be at least 32 characters long")
    .default([]),
  LEDGER_RETENTION_DAYS: z
    .string()
    .regex(/^\d{1,5}$/, "must be a number of days")
    .transform(Number)
    .refine((days) => days >= 31, "must be at least 31")
    .default(400),
  OIDC_NAME: z.string().max(64, "must be at most 64 characters long").default("SSO"),
});

/** An OpenID provider whose accounts may sign in. */
export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The label of the button. */
  name: string;
}

export interface Config {
  port: number;
  /** Absent: every address of the machine. */
  host: string | undefined;
  /** Absolute path of the folder of the embedded database. */
  dataDir: string;
  /** Absent: the embedded database. */
  databaseUrl: string | undefined;
  keyPrefix: string;
  logLevel: z.infer<typeof ENVIRONMENT>["LOG_LEVEL"];
  /** Origin under which browsers reach the service. Absent: it is read from each request. */
  publicUrl: string | undefined;
  /** How many proxies are in front. Each adds an address to `X-Forwarded-For`. */
  proxies: number;
  /** The secret that signs cookies and encrypts second factors. Absent: the first start makes one in `dataDir`. */
  authSecret: string | undefined;
  /** Whether anyone may make an account. */
  isSignUpOpen: boolean;
  /** The tokens with which gateways of the operator authorize spend on the keys of every account. */
  gatewayTokens: string[];
  /** For how many days the ledger keeps each capture. Totals of days are kept for good. */
  ledgerRetentionDays: number;
  /** Absent: no single sign-on. */
  oidc: OidcProvider | undefined;
}

/**
 * Reads and checks every environment variable the service knows. An empty variable counts as absent.
 * @throws {ConfigError} naming each variable at fault.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = ENVIRONMENT.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "));
  }
  const { PORT, HOST, DATA_DIR, DATABASE_URL, KEY_PREFIX, LOG_LEVEL } = parsed.data;
  const { PUBLIC_URL, TRUST_PROXY, AUTH_SECRET, SIGN_UP } = parsed.data;
  return {
    port: PORT,
    host: HOST,
    dataDir: resolve(DATA_DIR),
    databaseUrl: DATABASE_URL,
    keyPrefix: KEY_PREFIX,
    logLevel: LOG_LEVEL,
    publicUrl: PUBLIC_URL,
    proxies: TRUST_PROXY,
    authSecret: AUTH_SECRET,
    isSignUpOpen: SIGN_UP === "open",
    gatewayTokens: parsed.data.GATEWAY_TOKENS,
    ledgerRetentionDays: parsed.data.LEDGER_RETENTION_DAYS,
    oidc: oidcProvider(parsed.data),
  };
}

function oidcProvider(given: z.infer<typeof ENVIRONMENT>): OidcProvider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = given;
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    return { issuer, clientId, clientSecret, name };
  }
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  throw new ConfigError("OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: must be set all three, or none of them");
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { href, origin } = new URL(text);
  return href === `${origin}/`;
}
