import { listGateways } from "../auth/gateway-queries";
import { ConfigError, readConfig } from "../config";
import { withDatabase } from "../db/command";
import { isDatabaseUnavailable } from "../db/failure";

/**
 * `npm run -s gateway:list`: prints the tokens of gateways, one line of JSON each, without the tokens themselves. It works
 * with and without a running server.
 */
try {
  for (const gateway of await withDatabase(readConfig(process.env), listGateways)) {
    console.log(JSON.stringify(gateway));
  }
} catch (error) {
  console.error(lineFor(error));
  process.exitCode = 1;
}

function lineFor(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (isDatabaseUnavailable(error)) return "the database cannot be reached";
  return error instanceof Error ? error.message : String(error);
}
