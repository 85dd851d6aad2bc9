import { Counter, Gauge, Histogram } from "prom-client";
import { registry } from "./registry";

const sizes = new Histogram({
  name: "allowance_batch_calls",
  help: "How many calls one statement or transaction worked on together, by queue.",
  labelNames: ["queue"],
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  registers: [registry],
});

const waits = new Histogram({
  name: "allowance_batch_wait_seconds",
  help: "How long the call that waited longest had waited when its batch began, by queue.",
  labelNames: ["queue"],
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [registry],
});

const failures = new Counter({
  name: "allowance_batch_failures_total",
  help: "Batches whose statement or transaction failed, by queue.",
  labelNames: ["queue"],
  registers: [registry],
});

/** The calls that wait, by the name of the queue. A number costs a call less than a metric. */
const waiting = new Map<string, { calls: number }>();
new Gauge({
  name: "allowance_batch_calls_waiting",
  help: "Calls that wait for their batch to begin, by queue.",
  labelNames: ["queue"],
  registers: [registry],
  collect() {
    for (const [queue, { calls }] of waiting) this.set({ queue }, calls);
  },
});

/** What the queues of one name measure. */
export interface BatchMeter {
  /** A call has come, and waits. */
  wait(): void;
  /** A batch begins. `longestMs`: how long the call that waited longest has waited. */
  begin(calls: number, longestMs: number): void;
  /** The work on a batch has failed. */
  fail(): void;
}

/** @param queue the name in the metrics. Queues that do the same have the same name. */
export function batchMeter(queue: string): BatchMeter {
  const size = sizes.labels(queue);
  const wait = waits.labels(queue);
  const failure = failures.labels(queue);
  const waitingHere = waiting.get(queue) ?? { calls: 0 };
  waiting.set(queue, waitingHere);
  return {
    wait() {
      waitingHere.calls++;
    },
    begin(calls, longestMs) {
      waitingHere.calls -= calls;
      size.observe(calls);
      wait.observe(longestMs / 1000);
    },
    fail: () => failure.inc(),
  };
}
