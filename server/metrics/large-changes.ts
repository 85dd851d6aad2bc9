import { Counter, Gauge } from "prom-client";
import { registry } from "./registry";

const underWay = new Gauge({
  name: "allowance_large_changes_under_way",
  help: "Changes of the limits of more than 100,000 keys that this process writes at the moment.",
  registers: [registry],
});

const changes = new Counter({
  name: "allowance_large_changes_total",
  help: "Changes of the limits of more than 100,000 keys by how they ended: completed, failed, or cut_off (its process had stopped, and this one has undone it).",
  labelNames: ["result"],
  registers: [registry],
});

/** Does a large change, and counts it as under way meanwhile. */
export async function measureLargeChange<T>(change: () => Promise<T>): Promise<T> {
  underWay.inc();
  try {
    const done = await change();
    changes.inc({ result: "completed" });
    return done;
  } catch (error) {
    changes.inc({ result: "failed" });
    throw error;
  } finally {
    underWay.dec();
  }
}

/** Counts a large change whose process stopped in the middle, after it was undone. */
export function countLargeChangeCutOff(): void {
  changes.inc({ result: "cut_off" });
}
