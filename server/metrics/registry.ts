import { AggregatorRegistry, collectDefaultMetrics, Registry, register } from "prom-client";

/**
 * What the service measures. It is not the default registry, because `npm run dev` loads the service again in the same
 * process, and a name can be registered once. That of Node.js is in the default registry, which belongs to the process.
 */
export const registry = new Registry();

/** The values of each metric of a process. */
export type MetricValues = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** Every registry of the process. */
const registries = [register, registry];

/** Begins to measure the process: memory, event loop, garbage collection. It may be called again, without effect. */
export function measureProcess(): void {
  if (register.getMetricsAsArray().length === 0) collectDefaultMetrics();
}

/** All metrics in the text format of Prometheus. */
export async function metricsText(): Promise<string> {
  return (await Promise.all(registries.map((each) => each.metrics()))).join("\n");
}

/** All metrics as values, so that those of several processes can be added up. */
export async function metricValues(): Promise<MetricValues> {
  const values = await Promise.all(registries.map((each) => each.getMetricsAsJSON()));
  return values.flat();
}

/** The metrics of several processes in the text format of Prometheus, each added up in the way that it names. */
export function metricsTextOf(processes: readonly MetricValues[]): Promise<string> {
  return AggregatorRegistry.aggregate([...processes]).metrics();
}
