import type { Pool } from "pg";
import { Gauge } from "prom-client";
import { registry } from "./registry";

/** The pools of the service by name. Those of the service that started last count. */
let measured: Readonly<Record<string, Pool>> = {};

const gauge = (name: string, help: string, value: (pool: Pool) => number) =>
  new Gauge({
    name,
    help,
    labelNames: ["pool"],
    registers: [registry],
    collect() {
      for (const [pool, each] of Object.entries(measured)) this.set({ pool }, value(each));
    },
  });

gauge("allowance_pool_connections", "Open connections to the database, by pool.", ({ totalCount }) => totalCount);
gauge("allowance_pool_connections_idle", "Those that nobody uses, by pool.", ({ idleCount }) => idleCount);
gauge("allowance_pool_connections_max", "The most connections of a pool.", ({ options }) => options.max);
gauge("allowance_pool_waiting", "Calls that wait for a connection, by pool.", ({ waitingCount }) => waitingCount);

/** Measures these pools from now on. */
export function measurePools(pools: Readonly<Record<string, Pool>>): void {
  measured = pools;
}
