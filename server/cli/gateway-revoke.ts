import { parseArgs } from "node:util";
import { GatewayError, revokeGateway } from "../auth/gateway-queries";
import { ConfigError, readConfig } from "../config";
import { withDatabase } from "../db/command";
import { isDatabaseUnavailable } from "../db/failure";

/**
 * `npm run -s gateway:revoke -- --name eu-1`: revokes the token of a gateway at once, and prints one line of JSON. It works
 * with and without a running server.
 */
try {
  const name = readName();
  await withDatabase(readConfig(process.env), (db) => revokeGateway(db, name));
  console.log(JSON.stringify({ name, state: "revoked" }));
} catch (error) {
  console.error(lineFor(error));
  process.exitCode = 1;
}

function readName(): string {
  try {
    const { name } = parseArgs({ options: { name: { type: "string" } } }).values;
    if (name) return name;
  } catch {
    // The same line answers an unknown or incomplete option.
  }
  throw new GatewayError("name: required; usage: npm run -s gateway:revoke -- --name eu-1");
}

function lineFor(error: unknown): string {
  if (error instanceof GatewayError || error instanceof ConfigError) return error.message;
  if (isDatabaseUnavailable(error)) return "the database cannot be reached; nothing was revoked";
  return `nothing was revoked: ${error instanceof Error ? error.message : String(error)}`;
}
