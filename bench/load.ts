import autocannon from "autocannon";

/** The requests that are repeated, and the status that each answer must have. */
export interface Endpoint {
  title: string;
  /** Sent one after the other on each connection, again and again. */
  requests: autocannon.Request[];
  status: number;
  /** Target: the requests per second divided by those of the reference are at least this. */
  target?: number;
  /** Target: whether the 99th percentile of the latency must not be above that of the reference. */
  isTailBound?: boolean;
}

/** The figures of a load. */
export interface Measurement {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  /** Milliseconds. */
  p99: number;
}

const CONNECTIONS = 32;

/**
 * Loads a server for some seconds.
 * @throws when a single answer has another status, or a single request fails.
 */
export async function load(url: string, endpoint: Endpoint, seconds: number): Promise<Measurement> {
  const { title, status, requests } = endpoint;
  const options = { url, requests, connections: CONNECTIONS, duration: seconds };
  const latencies: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)));
    // Kept here because autocannon's own percentiles are whole milliseconds.
    instance.on("response", (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  });
  const expected = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  if (result.errors > 0 || expected === 0 || expected !== latencies.length) {
    const seen = JSON.stringify(result.statusCodeStats);
    throw new Error(`${title} at ${url}: ${result.errors} errors, statuses ${seen}, all expected to be ${status}`);
  }
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? 0;
  return { requests: expected, perSecond: expected / result.duration, p50: percentile(0.5), p99: percentile(0.99) };
}
