import { listGateways } from "../auth/gateway-queries";
import { readConfig } from "../config";
import { withDatabase } from "../db/command";
import { gatewayRow } from "./gateway-row";
import type { Output } from "./output";

/** Prints the tokens of gateways, without the tokens themselves. */
export async function run(_: object, output: Output): Promise<void> {
  const gateways = await withDatabase(readConfig(process.env), listGateways);
  output.rows(gateways.map((gateway) => (output.isForPeople ? gatewayRow(gateway) : { ...gateway })));
}
