import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { Pool } from "pg";
import { pino } from "pino";
import { countAuthorization } from "../server/metrics/authorizations";
import { batchMeter } from "../server/metrics/batches";
import { beginRequest, countRequest } from "../server/metrics/requests";
import { activeTracing, startTracing } from "../server/tracing/active-tracing";
import type { Tracing } from "../server/tracing/tracing";
import { onClose } from "./closers";
import { median } from "./median";
import { atMost, type Part } from "./part";
import { sized } from "./quick";
import { table } from "./table";

/** What one authorization costs beside its work, in microseconds of the processor. */
interface Figures {
  metrics: number;
  tracesOff: number;
  tracesOn: number;
}

const ROUNDS = 5;
const REPETITIONS = sized(200_000, 20_000);
/** An authorization asks for its caller and is decided: it waits for two batches. */
const BATCHES = 2;
/** It sends one statement for the caller, and up to nine to decide: alone, it shares them with nobody. */
const STATEMENTS = 10;
/** Metrics of the process take no more than this. */
const MOST_MICROSECONDS = 5;

/**
 * What it costs to measure and to trace one authorization that shares no batch, which is the dearest. What is measured here
 * is called as often as an authorization calls it, without the work itself.
 */
export const observe: Part<Figures> = {
  name: "observe",
  measure,
  report: ({ metrics, tracesOff, tracesOn }) => `## Metrics and traces

Processor time of this process for one authorization that shares its transaction with no other: ${BATCHES} batches, and ${STATEMENTS}
statements. Traces are sent to a collector on this machine; that of the collector is in it.

${table(
  ["what", "processor µs for one authorization"],
  [
    ["metrics", metrics.toFixed(2)],
    ["traces, off", tracesOff.toFixed(2)],
    ["traces, on", tracesOn.toFixed(0)],
  ],
)}`,
  targets: ({ metrics, tracesOff }) => [
    atMost("Metrics of one authorization", metrics, MOST_MICROSECONDS, "µs"),
    atMost("Traces that are off, for one authorization", tracesOff, 1, "µs"),
  ],
};

async function measure(): Promise<Figures> {
  const meters = [batchMeter("callers"), batchMeter("authorizations")];
  const metrics = await costOf(REPETITIONS, () => {
    beginRequest();
    for (const meter of meters) {
      meter.wait();
      meter.begin(1, 0.3);
    }
    countAuthorization("allowed");
    countRequest("POST", "/v1/authorizations", 200, 3.2);
  });
  // Once for the request; for each batch once when a call comes, and once when it begins.
  const tracesOff = await costOf(REPETITIONS, () => {
    for (let i = 0; i < 1 + 2 * BATCHES; i++) if (activeTracing() !== undefined) throw new Error("traces are on");
  });
  return { metrics, tracesOff, tracesOn: await costOfTraces() };
}

async function costOfTraces(): Promise<number> {
  const collector = createServer((request, response) => request.resume().on("end", () => response.end()));
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  onClose(async () => collector.closeAllConnections());
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const config = { serviceName: "bench", sampler: "always_on", ratio: 1 } as const;
  const tracing = (await startTracing(config, pino({ level: "silent" }))) as Tracing;
  const query = queryOf(tracing);
  const request = { method: "POST", headers: {}, httpVersion: "1.1" } as IncomingMessage;
  const cost = await costOf(REPETITIONS / 20, async () => {
    await tracing.traceRequest(request, "b1f0c2f4-0000-4000-8000-000000000000", async () => {
      for (let batch = 0; batch < BATCHES; batch++) {
        await tracing.traceBatch("bench", [tracing.currentSpan()], async () => {
          for (let i = 0; i < STATEMENTS / BATCHES; i++) await query({ name: "bench", text: "SELECT 1" });
        });
      }
      return { status: 200, path: "/v1/authorizations" };
    });
    // Spans that cannot be sent meanwhile would be dropped, which costs less.
    await turn();
  });
  await tracing.close();
  await startTracing(undefined, pino({ level: "silent" }));
  collector.close();
  return cost;
}

/** What sends a traced statement, on a connection that answers at once. */
function queryOf(tracing: Tracing): (statement: object) => Promise<unknown> {
  const client = { query: async (_: object) => undefined };
  const pool = {
    connect: async () => client,
    on: (_: string, listener: (connected: object) => void) => listener(client),
  };
  tracing.tracePool(pool as unknown as Pool);
  return (statement) => client.query(statement);
}

/** The processor time of one repetition in microseconds: the median of some rounds, after one to warm up. */
async function costOf(repetitions: number, work: () => unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const begun = process.cpuUsage();
    for (let i = 0; i < repetitions; i++) {
      const done = work();
      if (done instanceof Promise) await done;
    }
    const { user, system } = process.cpuUsage(begun);
    if (round > 0) rounds.push((user + system) / repetitions);
  }
  return median(rounds);
}
