import type { Logger } from "pino";
import type { TracingConfig } from "../config";
import type { Tracing } from "./tracing";

let active: Tracing | undefined;

/** What writes traces in this process. Undefined where traces are off: then nothing is measured, and no package is loaded. */
export function activeTracing(): Tracing | undefined {
  return active;
}

/**
 * Begins to write traces. The packages are loaded here, because most operators have no collector, and loading takes time.
 * @param config undefined: traces are off.
 */
export async function startTracing(config: TracingConfig | undefined, log: Logger): Promise<Tracing | undefined> {
  if (config === undefined) {
    active = undefined;
    return undefined;
  }
  const { OpenTelemetryTracing } = await import("./open-telemetry");
  active = new OpenTelemetryTracing(config, log);
  return active;
}
