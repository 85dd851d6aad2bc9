import { readFileSync } from "node:fs";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { z } from "zod";
import { A_PORT, isPort } from "./port";

/** The address of a database, in a form that `pg` reads as it is meant. */
export const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, "must begin with postgresql://")
  .superRefine((url, context) => {
    const message = addressFault(url);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  })
  .transform((url) => withFullVerification(withoutName(url)));

/**
 * What is wrong with variables that `pg` reads where an address does not say the same. It takes a mode that it does not know for
 * none, and would send passwords without TLS, and a wrong port makes it answer nothing at all.
 */
export function faultOfPsql(
  { PGSSLMODE, PGPORT }: NodeJS.ProcessEnv,
  addresses: readonly (string | undefined)[],
): string | undefined {
  const urls = addresses.filter((url) => url !== undefined);
  const namesMode = (url: string) => /[?&]ssl(mode|rootcert|cert|key)?=./.test(url);
  if (PGSSLMODE && !TLS_MODES.includes(PGSSLMODE) && !urls.every(namesMode))
    return `PGSSLMODE: must be one of ${TLS_MODES.join(", ")}`;
  const namesPort = (url: string) => {
    const { port, searchParams } = new URL(withHost(url));
    return port !== "" || Boolean(searchParams.get("port"));
  };
  return PGPORT && !isPort(PGPORT) && !urls.every(namesPort) ? `PGPORT: must be ${A_PORT}` : undefined;
}

/** What is wrong with the address of a database. It quotes no part, because any may have the password. */
function addressFault(url: string): string | undefined {
  const address = withHost(url);
  if (URL.canParse(address) && isDecodable(url)) return parameterFault(new URL(address));
  // A password that is not encoded may have an @ itself. None stands behind the last one.
  const [, host = "", port = "0"] = /^(?:.*@|\w+:\/\/)([^/?#]*?)(?::([^:\]/?#]*))?(?:[/?#]|$)/.exec(url) ?? [];
  if (!isPort(port)) return `must have ${A_PORT}`;
  if (host === "" || !URL.canParse(`postgresql://${host}`)) {
    return "must name one host, by its name or address, IPv6 in brackets";
  }
  return "must be a URL, with special characters of the password percent-encoded";
}

/**
 * An address that names its host or its socket as a parameter may have none before its path, beside a user. `pg` puts one there
 * too, because a URL needs it.
 */
function withHost(url: string): string {
  const address = url.replace("@/", "@socket/");
  return URL.canParse(address) && new URL(address).searchParams.get("host") ? address : url;
}

/** What is wrong with the parameters of an address. `pg` takes them as they are, and a wrong port makes it answer nothing at all. */
function parameterFault(url: URL): string | undefined {
  if (!isPort(url.searchParams.get("port") ?? "")) return `must have ${A_PORT}`;
  return timeoutFault(url) ?? modeFault(url) ?? certificateFault(url);
}

/** Parameters that `pg` reads as milliseconds, into 32 bits with a sign. Of another value it makes NaN, or no time at all. */
const TIMEOUTS = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "query_timeout"];

function timeoutFault({ searchParams }: URL): string | undefined {
  const isMilliseconds = (text: string) => /^\d*$/.test(text) && Number(text) < 2 ** 31;
  const wrong = TIMEOUTS.find((name) => !isMilliseconds(searchParams.get(name) ?? ""));
  return wrong && `${wrong} must be a whole number of milliseconds, at most 2147483647`;
}

/** Values of `sslmode` that `pg` knows. It takes every other one for a demand of TLS. */
const TLS_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

function modeFault({ searchParams }: URL): string | undefined {
  const mode = searchParams.get("sslmode");
  if (!mode) return undefined;
  if (!TLS_MODES.includes(mode)) return `sslmode must be one of ${TLS_MODES.join(", ")}`;
  if (mode !== "verify-ca" || searchParams.get("uselibpqcompat") !== "true" || searchParams.get("sslrootcert"))
    return undefined;
  return "sslmode=verify-ca must have the authority in sslrootcert, with uselibpqcompat=true";
}

/** Parameters of an address that name files, and what TLS takes each for. */
const CERTIFICATE_FILES = { sslrootcert: "ca", sslcert: "cert", sslkey: "key" } as const;

/** What is wrong with the files that an address names. `pg` reads them for each connection, and its error names no variable. */
function certificateFault({ searchParams }: URL): string | undefined {
  const files: SecureContextOptions = {};
  for (const [name, option] of Object.entries(CERTIFICATE_FILES)) {
    const path = searchParams.get(name);
    if (!path) continue;
    try {
      files[option] = readFileSync(path);
    } catch (error) {
      return `the file of ${name} cannot be read (${(error as NodeJS.ErrnoException).code})`;
    }
  }
  try {
    createSecureContext(files);
    return undefined;
  } catch {
    return "sslcert and sslkey must name a certificate and its key, in PEM";
  }
}

/** Whether `pg` can decode the parts of an address. Where a `%` begins no code, it encodes the address before. */
function isDecodable(url: string): boolean {
  const [address = ""] = url.split("?", 1);
  if (/%(?![0-9a-f]{2})/i.test(url)) return true;
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

/** An address without a name for its connections. They have their own, by which `restore` finds a server that runs. */
function withoutName(url: string): string {
  return url.replace(/(?<=[?&])application_name=[^&]*&?/g, "");
}

/**
 * An address with the mode that `pg` takes these three for (docs/operations.md#certificates). With their own names, it would warn
 * on stderr of what its next version does.
 */
function withFullVerification(url: string): string {
  if (/[?&]uselibpqcompat=true(&|$)/.test(url)) return url;
  return url.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/g, "verify-full");
}
