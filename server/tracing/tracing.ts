import type { Pool } from "pg";
import type { ApiRequest } from "../fast-path/request";

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
    request: ApiRequest,
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
