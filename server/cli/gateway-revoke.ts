import { revokeGateway } from "../auth/gateway-queries";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import type { Output } from "./output";
import { UsageError } from "./usage";

/** Revokes the token of a gateway at once. */
export async function run({ name }: { name?: string }, output: Output): Promise<void> {
  if (!name) throw new UsageError("name: required");
  await withDatabase(readConfig(process.env), (db) => revokeGateway(db, name));
  output.facts({ name, state: "revoked" });
}
