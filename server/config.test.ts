import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config";

const SECRET = "a secret, that has a comma and 32 characters or more";
const TOKEN = "a-token-of-a-gateway-of-32-characters";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "allowance-config-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (env: Record<string, string>) => readConfig(env as unknown as NodeJS.ProcessEnv);
const fileWith = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const refusal = (env: Record<string, string>): string => {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "";
};

describe("a secret in a file", () => {
  test.each([
    ["as it is", SECRET],
    ["with a newline at the end", `${SECRET}\n`],
    ["with the newline of Windows", `${SECRET}\r\n`],
  ])("is read %s", (_, content) => {
    expect(read({ AUTH_SECRET_FILE: fileWith("secret", content) }).authSecret).toBe(SECRET);
  });

  test("loses one newline and no other white space", () => {
    expect(read({ AUTH_SECRET_FILE: fileWith("secret", ` ${SECRET} \n\n`) }).authSecret).toBe(` ${SECRET} \n`);
  });

  test("is possible for each secret", () => {
    const config = read({
      DATABASE_URL_FILE: fileWith("url", "postgresql://a:b@c/d\n"),
      MIGRATION_DATABASE_URL_FILE: fileWith("owner", "postgresql://o:b@c/d\n"),
      AUTH_SECRET_PREVIOUS_FILE: fileWith("previous", `${SECRET} 1\n${SECRET} 2\n`),
      GATEWAY_TOKENS_FILE: fileWith("tokens", `${TOKEN},${TOKEN}2\n`),
      OIDC_CLIENT_SECRET_FILE: fileWith("client", "a client's secret\n"),
      OIDC_ISSUER: "https://example.com",
      OIDC_CLIENT_ID: "id",
      PUBLIC_URL: "https://keys.example.com",
    });
    expect(config.database).toEqual({ url: "postgresql://a:b@c/d", ownerUrl: "postgresql://o:b@c/d" });
    expect(config.previousAuthSecrets).toEqual([`${SECRET} 1`, `${SECRET} 2`]);
    expect(config.gatewayTokens).toEqual([TOKEN, `${TOKEN}2`]);
    expect(config.oidc?.clientSecret).toBe("a client's secret");
  });

  test("together with the variable itself is refused, and neither is shown", () => {
    const message = refusal({ AUTH_SECRET: SECRET, AUTH_SECRET_FILE: fileWith("secret", SECRET) });
    expect(message).toBe("AUTH_SECRET, AUTH_SECRET_FILE: set one of them, not both");
  });

  test.each([
    ["is not there", SECRET, "ENOENT"],
    ["is a folder", tmpdir(), "EISDIR"],
  ])("that %s is refused without the path, which may be the secret itself", (_, path, code) => {
    const message = refusal({ AUTH_SECRET_FILE: path });
    expect(message).toBe(`AUTH_SECRET_FILE: the file cannot be read (${code})`);
  });

  test("that is empty is refused, and one that is too short, without its content", () => {
    expect(refusal({ AUTH_SECRET_FILE: fileWith("empty", "\n") })).toBe("AUTH_SECRET_FILE: the file is empty");
    const message = refusal({ AUTH_SECRET_FILE: fileWith("short", "hunter2\n") });
    expect(message).toBe("AUTH_SECRET: must be at least 32 characters long");
  });
});

test("a variable that has only white space is refused, from a file too", () => {
  expect(refusal({ DATA_DIR: " ", AUTH_SECRET_FILE: fileWith("blank", " ".repeat(32)) })).toBe(
    "DATA_DIR, AUTH_SECRET: must have more than white space, or be empty",
  );
  // It is no setting of this service.
  expect(read({ OTHER: " " }).dataDir).toBe(resolve(".data"));
});

test("an empty variable with _FILE counts as absent", () => {
  expect(read({ AUTH_SECRET: SECRET, AUTH_SECRET_FILE: "" }).authSecret).toBe(SECRET);
});

describe("MIGRATION_DATABASE_URL", () => {
  test("is DATABASE_URL where it is not set", () => {
    const url = "postgresql://a:b@c/d";
    expect(read({ DATABASE_URL: url }).database).toEqual({ url, ownerUrl: url });
    expect(read({}).database).toBeUndefined();
  });

  test("needs DATABASE_URL", () => {
    expect(refusal({ MIGRATION_DATABASE_URL: "postgresql://a:b@c/d" })).toContain("MIGRATION_DATABASE_URL: needs ");
  });
});

test("a password that is not percent-encoded is refused only where it cannot be decoded", () => {
  expect(refusal({ DATABASE_URL: "postgresql://a:p%ff@c/d" })).toMatch(/^DATABASE_URL: must be a URL, /);
  for (const password of ["p%25ff", "p%zz", "p%c3%a9"]) {
    expect(refusal({ DATABASE_URL: `postgresql://a:${password}@c/d` })).toBe("");
  }
});

test.each([
  ["postgresql://a:b@c:99999/d", "must have a port from 0 to 65535"],
  ["postgresql://a:b@c:port/d", "must have a port from 0 to 65535"],
  ["postgresql://a:b@c/d?port=65536", "must have a port from 0 to 65535"],
  ["postgresql:///d?host=/run/postgresql&port=x", "must have a port from 0 to 65535"],
  ["postgresql://a:b@c/d?statement_timeout=abc", "statement_timeout must be a whole number of milliseconds"],
  ["postgresql://a:b@c/d?lock_timeout=5s", "lock_timeout must be a whole number of milliseconds"],
  ["postgresql://a:b@c/d?query_timeout=2147483648", "query_timeout must be .* at most 2147483647$"],
  ["postgresql://a:b@:5432/d", "must name one host"],
  ["postgresql://a:b@c d/e", "must name one host"],
  ["postgresql://a:b@c:5432,d:5432/e", "must name one host"],
  ["postgresql://::1/d", "must name one host"],
  [
    "postgresql://a:b@c/d?sslmode=disabled",
    "sslmode must be one of disable, prefer, require, verify-ca, verify-full, no-verify",
  ],
  ["postgresql://a:b@c/d?uselibpqcompat=true&sslmode=Require", "sslmode must be one of disable, prefer, "],
  [
    "postgresql://a:b@c/d?uselibpqcompat=true&sslmode=verify-ca",
    "sslmode=verify-ca must have the authority in sslrootcert",
  ],
  ["postgresql://a:b/c@d/e", "must be a URL, with special characters of the password percent-encoded"],
  ["postgresql://a:b#c@d:5432/e", "must be a URL, with special characters of the password percent-encoded"],
])("what is wrong with the address %s is told: it %s", (url, fault) => {
  expect(refusal({ DATABASE_URL: url })).toMatch(new RegExp(`^DATABASE_URL: ${fault}`));
});

test("a PGSSLMODE that does not exist is refused where it counts", () => {
  expect(refusal({ DATABASE_URL: "postgresql://a:b@c/d", PGSSLMODE: "verify_full" })).toMatch(
    /^PGSSLMODE: must be one of /,
  );
  expect(refusal({ DATABASE_URL: "postgresql://a:b@c/d", PGSSLMODE: "verify-full" })).toBe("");
  expect(refusal({ DATABASE_URL: "postgresql://a:b@c/d?sslmode=disable", PGSSLMODE: "verify_full" })).toBe("");
  expect(refusal({ PGSSLMODE: "verify_full" })).toBe("");
});

test("a PGPORT that is no port is refused where it counts", () => {
  expect(refusal({ DATABASE_URL: "postgresql://a:b@c/d", PGPORT: "70000" })).toBe(
    "PGPORT: must be a port from 0 to 65535",
  );
  expect(refusal({ DATABASE_URL: "postgresql://a:b@c/d", PGPORT: "6432" })).toBe("");
  expect(refusal({ DATABASE_URL: "postgresql://a:b@c:5432/d", PGPORT: "x" })).toBe("");
  expect(refusal({ DATABASE_URL: "postgresql://a:b@c/d?port=5432", PGPORT: "x" })).toBe("");
  expect(refusal({ PGPORT: "x" })).toBe("");
});

test("an address that names its socket as a parameter needs no host before its path", () => {
  expect(refusal({ DATABASE_URL: "postgresql://a:b@/d?host=/run/postgresql" })).toBe("");
  expect(refusal({ DATABASE_URL: "postgresql://a:b@/d?host=/run/postgresql&port=x" })).toContain("must have a port");
  expect(refusal({ DATABASE_URL: "postgresql://a:b@/d" })).toContain("must name one host");
});

test.each(["sslrootcert", "sslcert", "sslkey"])(
  "a file of %s that cannot be read is told with the variable",
  (name) => {
    const url = (path: string) => `postgresql://a:b@c/d?sslmode=verify-full&${name}=${encodeURIComponent(path)}`;
    const fault = `the file of ${name} cannot be read`;
    expect(refusal({ DATABASE_URL: url(join(folder, "missing.pem")) })).toBe(`DATABASE_URL: ${fault} (ENOENT)`);
    expect(refusal({ DATABASE_URL: "postgresql://a:b@c/d", DATABASE_READ_URL: url(folder) })).toBe(
      `DATABASE_READ_URL: ${fault} (EISDIR)`,
    );
  },
);

test("a file of sslrootcert that can be read is no fault", () => {
  const file = encodeURIComponent(fileWith("authority.pem", ""));
  expect(refusal({ DATABASE_URL: `postgresql://a:b@c/d?sslmode=verify-full&sslrootcert=${file}` })).toBe("");
});

test("files of a client's certificate that hold none are told with the variable", () => {
  const file = encodeURIComponent(fileWith("none.pem", "none"));
  expect(refusal({ DATABASE_URL: `postgresql://a:b@c/d?sslmode=verify-full&sslcert=${file}&sslkey=${file}` })).toBe(
    "DATABASE_URL: sslcert and sslkey must name a certificate and its key, in PEM",
  );
});

test("DATABASE_READ_URL needs DATABASE_URL", () => {
  const url = "postgresql://a:b@c/d";
  expect(refusal({ DATABASE_READ_URL: url })).toContain("DATABASE_READ_URL: needs DATABASE_URL");
  expect(read({ DATABASE_URL: url, DATABASE_READ_URL: `${url}2` }).readUrl).toBe(`${url}2`);
});

test("ACTIVITY_RETENTION_DAYS goes back as far as the ledger at most", () => {
  expect(read({}).activityRetentionDays).toBe(14);
  expect(read({ ACTIVITY_RETENTION_DAYS: "400" }).activityRetentionDays).toBe(400);
  const message = refusal({ ACTIVITY_RETENTION_DAYS: "60", LEDGER_RETENTION_DAYS: "59" });
  expect(message).toBe("ACTIVITY_RETENTION_DAYS: must be at most LEDGER_RETENTION_DAYS, which is 59");
});

test.each([
  ["PORT", "http"],
  ["PORT", "65536"],
  ["DATABASE_URL", "mysql://localhost/x"],
  ["KEY_PREFIX", "sk"],
  ["LOG_LEVEL", "loud"],
  ["MAX_OPEN_HOLDS", "0"],
  ["MAX_OPEN_HOLDS", "1.5"],
  ["MAX_OPEN_HOLDS", "1000001"],
  ["MAX_CAPTURE_FACTOR", "0.9"],
  ["MAX_CAPTURE_FACTOR", "1e3"],
  ["MAX_CAPTURE_FACTOR", "Infinity"],
  ["ACTIVITY_RETENTION_DAYS", "0"],
  ["ACTIVITY_RETENTION_DAYS", "401"],
  ["SESSION_IDLE_DAYS", "0"],
  ["OIDC_SKIP_TOTP", "yes"],
])("%s=%s is refused by a sentence that names it", (name, value) => {
  expect(refusal({ [name]: value })).toMatch(new RegExp(`^${name}: `));
});

test.each([
  ["that no header carries as it is", "tökén-with-more-than-32-characters"],
  ["with a space in it", "a token with more than 32 characters"],
  ["that is too short", "token"],
])("a token %s is refused", (_, token) => {
  const rule = "must be at least 32 characters long, all of them ASCII, without spaces";
  expect(refusal({ METRICS_TOKEN: token })).toBe(`METRICS_TOKEN: ${rule}`);
  expect(refusal({ GATEWAY_TOKENS: `${TOKEN}, ${token}` })).toBe(`GATEWAY_TOKENS: each ${rule}`);
});

test.each(["http", "-1", "3000.5", "65536", "100000"])("PORT=%s is told what it must be", (port) => {
  expect(refusal({ PORT: port })).toBe("PORT: must be a port from 0 to 65535");
});

test.each([
  ["LEDGER_RETENTION_DAYS", "30", "whole number of days from 31 to 99999"],
  ["LEDGER_RETENTION_DAYS", "100000", "whole number of days from 31 to 99999"],
  ["ACTIVITY_RETENTION_DAYS", "100000", "whole number of days from 1 to 99999"],
  ["SESSION_IDLE_DAYS", "100", "whole number of days from 1 to 30"],
  ["MAX_CAPTURE_FACTOR", "1000000", "number from 1, below 1000000, with at most 9 decimals"],
])("%s=%s is told both bounds", (name, value, rule) => {
  expect(refusal({ [name]: value })).toBe(`${name}: must be a ${rule}`);
});

test.each([
  ["LOG_LEVEL", "fatal, error, warn, info, debug, silent"],
  ["SIGN_UP", "closed, open"],
  ["LOG_FORMAT", "pretty, json"],
  ["PREPARED_STATEMENTS", "on, off"],
  [
    "OTEL_TRACES_SAMPLER",
    "always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio",
  ],
])("a wrong %s is told the choices", (name, choices) => {
  expect(refusal({ [name]: "loud" })).toBe(`${name}: must be one of ${choices}`);
});
