import { Counter, Gauge, Histogram } from "prom-client";
import { registry } from "./registry";

/** In seconds. Most requests take a few milliseconds, and a statement ends after 30 s. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** A client may send any method, so that all others share one value of the label. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const durations = new Histogram({
  name: "allowance_http_request_duration_seconds",
  help: "How long requests took, by method, documented path and status.",
  labelNames: ["method", "route", "status"],
  buckets: BUCKETS,
  registers: [registry],
});

let underWay = 0;
new Gauge({
  name: "allowance_http_requests_under_way",
  help: "Requests that have begun and have not ended.",
  registers: [registry],
  collect() {
    this.set(underWay);
  },
});

const refusals = new Counter({
  name: "allowance_refusals_total",
  help: "Requests that were refused because of load (429) or because something is away (503), by the code of the error.",
  labelNames: ["status", "code"],
  registers: [registry],
});

/** A request has begun. `countRequest` must follow. */
export function beginRequest(): void {
  underWay++;
}

/**
 * Counts a request that has ended.
 * @param route the documented path, so that there are as many as there are endpoints.
 * @param ms how long it took.
 */
export function countRequest(method: string | undefined, route: string, status: number, ms: number): void {
  underWay--;
  const known = method !== undefined && METHODS.has(method) ? method : "other";
  durations.observe({ method: known, route, status }, ms / 1000);
}

/** Counts an error where it is a refusal of a request that was in order: 429 or 503. */
export function countRefusal({ status, code }: { status: number; code?: string }): void {
  if (status === 429 || status === 503) refusals.inc({ status, code: code ?? "none" });
}
