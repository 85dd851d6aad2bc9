import { Counter } from "prom-client";
import { registry } from "./registry";

const reads = new Counter({
  name: "allowance_replica_reads_total",
  help: "Reads that may go to DATABASE_READ_URL by who answered them: replica, or primary while the replica cannot. Absent without it.",
  labelNames: ["answered_by"],
  registers: [registry],
});

/** Counts a read that might go to the replica. */
export function countReplicaRead(answeredBy: "replica" | "primary"): void {
  reads.inc({ answered_by: answeredBy });
}
