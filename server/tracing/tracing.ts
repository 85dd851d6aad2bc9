import type { IncomingMessage } from "node:http";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { TracingConfig } from "../config";

/** The span of a request under way. Only who made it looks inside. */
export type RequestSpan = object;

/** What became of a request. The route is the documented path, never that of the request. */
export interface TracedOutcome {
  status: number;
  path: string;
}

/** Writes spans of requests, of batches and of statements, and sends them to a collector. */
export interface Tracing {
  /**
   * Does the work on a request in a span of its own, which continues the trace that the caller names in `traceparent`.
   * @param work gets the id of the trace, for the log.
   */
  traceRequest<Outcome extends TracedOutcome>(
    request: IncomingMessage,
    requestId: string,
    work: (traceId: string) => Promise<Outcome>,
  ): Promise<Outcome>;
  /** The span of the request that is worked on here; undefined outside requests. */
  currentSpan(): RequestSpan | undefined;
  /** Does the work of a batch in a span of its own. It belongs to the first of the requests, and is linked to the others. */
  traceBatch<Result>(
    queue: string,
    requests: readonly (RequestSpan | undefined)[],
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Writes a span for each statement that a request sends on a connection of this pool. */
  tracePool(pool: Pool): void;
  /** Sends what is left. The caller bounds how long that may take. */
  close(): Promise<void>;
}

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
