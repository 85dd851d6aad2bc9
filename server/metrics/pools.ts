import { Gauge } from "prom-client";
import type { ConnectionPool } from "../db/connection";
import { registry } from "./registry";

/** By the name that they have in the metrics. Those of the service that started last count. */
let measured: ReadonlyMap<string, ConnectionPool> = new Map();

const gauge = (name: string, help: string, value: (pool: ConnectionPool) => number) =>
  new Gauge({
    name,
    help,
    labelNames: ["pool"],
    registers: [registry],
    collect() {
      for (const [name, pool] of measured) this.set({ pool: name }, value(pool));
    },
  });

gauge("allowance_pool_connections", "Open connections to the database, by pool.", ({ totalCount }) => totalCount);
gauge("allowance_pool_connections_idle", "Those that nobody uses, by pool.", ({ idleCount }) => idleCount);
gauge("allowance_pool_connections_max", "The most connections of a pool.", ({ options }) => options.max);
gauge("allowance_pool_waiting", "Calls that wait for a connection, by pool.", ({ waitingCount }) => waitingCount);

/** Measures these pools from now on. Those of the replica that is read have `replica_` before their name. */
export function measurePools(pools: readonly ConnectionPool[], replicas: readonly ConnectionPool[]): void {
  measured = new Map([
    ...pools.map((pool) => [pool.name, pool] as const),
    ...replicas.map((pool) => [`replica_${pool.name}`, pool] as const),
  ]);
}
