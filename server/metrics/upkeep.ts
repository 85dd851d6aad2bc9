import { Counter, Gauge, Histogram } from "prom-client";
import { registry } from "./registry";

const runs = new Counter({
  name: "allowance_upkeep_runs_total",
  help: "Runs of background work, by task and result (ok or failed).",
  labelNames: ["task", "result"],
  registers: [registry],
});

const lastSuccess = new Gauge({
  name: "allowance_upkeep_last_success_timestamp_seconds",
  help: "When a task of background work last ended well in this process, in seconds since 1970. Absent until then.",
  labelNames: ["task"],
  aggregator: "max",
  registers: [registry],
});

const durations = new Histogram({
  name: "allowance_upkeep_duration_seconds",
  help: "How long runs of background work took, by task.",
  labelNames: ["task"],
  buckets: [0.01, 0.1, 1, 10, 60, 600],
  registers: [registry],
});

const rows = new Counter({
  name: "allowance_upkeep_rows_total",
  help: "Rows that background work has released, added up, or deleted, by task. Absent where a task does not count them.",
  labelNames: ["task"],
  registers: [registry],
});

/**
 * Does a task of background work, and measures it.
 * @param work returns the number of rows it has worked on, where it counts them.
 * @throws what the work throws.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: work that counts nothing returns nothing.
export async function measureUpkeep(task: string, work: () => Promise<number | void>): Promise<void> {
  const end = durations.startTimer({ task });
  try {
    const count = await work();
    if (typeof count === "number") rows.inc({ task }, count);
    runs.inc({ task, result: "ok" });
    lastSuccess.set({ task }, Date.now() / 1000);
  } catch (error) {
    runs.inc({ task, result: "failed" });
    throw error;
  } finally {
    end();
  }
}
