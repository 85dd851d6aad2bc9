import { readFile } from "node:fs/promises";
import { allowed, inTurn } from "./endpoints";
import { type Conversation, load, type Measurement, requestOf } from "./load";
import { atMost, type Part } from "./part";
import { readResidentMemory } from "./process-time";
import { sized } from "./quick";
import { createAccount, GATEWAY_TOKEN, type Servers, withServers } from "./servers";
import { seedSpenders } from "./spend";
import { count, megabytes, table } from "./table";

/** Memory of the product's process at one moment. */
interface Sample {
  /** Seconds since the load began. */
  at: number;
  bytes: number;
}

interface Figures {
  seconds: number;
  load: Measurement;
  /** Memory that is resident, every few seconds. */
  resident: Sample[];
  /** JavaScript objects that are left after each full garbage collection. */
  heap: Sample[];
}

const SECONDS = sized(600, 20);
const SAMPLE_MS = sized(5_000, 500);
/** The first third fills what the process remembers of recent keys, and is not judged. */
const SETTLED_FROM = SECONDS / 3;
/** What memory may grow by over the rest, as a share of itself. */
const GREATEST_GROWTH = 0.05;
const AUTHORIZATIONS = "/v1/authorizations";
const MARK_COMPACT = /(\d+) ms: Mark-Compact.*? -> ([\d.]+) \(/g;

/** Whether the memory of the server stays the same under a mixed load. */
export const soak: Part<Figures> = {
  name: "soak",
  isOnRequest: true,
  measure: (folder) => withServers(folder, measure, { product: ["--trace-gc"], reference: [] }),
  report: ({ seconds, load: { perSecond, p99 }, resident, heap }) => `## Memory

${count(seconds / 60)} minutes of authorizations, captures, voids, refusals, checks, new keys and lists over 32 connections:
${count(perSecond)} requests/s, p99 ${p99.toFixed(0)} ms. The slope is that of the straight line through all samples after the first third.

${table(
  ["the product's process", "at one third", "at the end", "slope an hour"],
  [
    ["resident memory", ...trendCells(resident)],
    ["heap after a full garbage collection", ...trendCells(heap)],
  ],
)}`,
  targets: ({ resident, heap }) => [
    atMost("resident memory: growth over the last two thirds of the soak", trendOf(resident).growth, GREATEST_GROWTH),
    atMost("heap: growth over the last two thirds of the soak", trendOf(heap).growth, GREATEST_GROWTH),
  ],
};

async function measure(servers: Servers): Promise<Figures> {
  const { product, logFile } = servers;
  const spenders = await seedSpenders(servers);
  const owner = await createAccount(servers, "owner@example.com");
  const next = inTurn(spenders);
  const endpoint = { title: "mixed load", converse: () => mix(next, owner) };
  const { length: logged } = await readFile(logFile, "utf8");
  const begun = performance.now();
  const resident: Sample[] = [];
  const sampler = setInterval(async () => {
    resident.push({ at: (performance.now() - begun) / 1000, bytes: await readResidentMemory(product.pid) });
  }, SAMPLE_MS);
  try {
    const measured = await load(product.url, endpoint, { seconds: SECONDS });
    const log = (await readFile(logFile, "utf8")).slice(logged);
    return { seconds: SECONDS, load: measured, resident, heap: heapOf(log) };
  } finally {
    clearInterval(sampler);
  }
}

/** What a busy day has: mostly calls that pass, and some of everything else. */
function* mix(next: () => string, owner: string): Conversation {
  const ask = (path: string, body: object) => ({ text: requestOf("POST", path, GATEWAY_TOKEN, body), status: 200 });
  const hold = () => ask(AUTHORIZATIONS, { apikey: next(), amount: 2.5 });
  const idOf = (body: string) => allowed(body).authorization_id;
  for (let turn = 0; ; turn++) {
    yield ask(`${AUTHORIZATIONS}/${idOf(yield hold())}/capture`, { amount: 2.1 });
    if (turn % 4 === 0) yield ask(`${AUTHORIZATIONS}/check`, { apikey: next(), amount: 2.5 });
    if (turn % 8 === 1) yield ask(`${AUTHORIZATIONS}/${idOf(yield hold())}/void`, {});
    if (turn % 16 === 2) yield ask(AUTHORIZATIONS, { apikey: next(), amount: 1e13 });
    if (turn % 64 === 3) {
      yield { text: requestOf("POST", "/v1/apikeys", owner, { name: "production", budget: 1000 }), status: 201 };
      yield { text: requestOf("GET", "/v1/apikeys?page_size=20", owner), status: 200 };
    }
  }
}

/** The lines of `--trace-gc` in a log. */
function heapOf(log: string): Sample[] {
  const collections = [...log.matchAll(MARK_COMPACT)].map(([, ms, mebibytes]) => ({
    at: Number(ms) / 1000,
    bytes: Number(mebibytes) * 2 ** 20,
  }));
  const start = collections[0]?.at ?? 0;
  return collections.map(({ at, bytes }) => ({ at: at - start, bytes }));
}

/** The straight line through the samples that are judged. */
function trendOf(samples: readonly Sample[]): { first: number; last: number; perSecond: number; growth: number } {
  const judged = samples.filter(({ at }) => at >= SETTLED_FROM);
  const mean = (of: (sample: Sample) => number) => judged.reduce((sum, sample) => sum + of(sample), 0) / judged.length;
  const [at, bytes] = [mean((sample) => sample.at), mean((sample) => sample.bytes)];
  const spread = mean((sample) => (sample.at - at) ** 2);
  const perSecond = spread === 0 ? 0 : mean((sample) => (sample.at - at) * (sample.bytes - bytes)) / spread;
  const first = bytes + perSecond * (SETTLED_FROM - at);
  const last = bytes + perSecond * (SECONDS - at);
  return { first, last, perSecond, growth: last / first - 1 };
}

function trendCells(samples: readonly Sample[]): string[] {
  const { first, last, perSecond } = trendOf(samples);
  return [megabytes(first), megabytes(last), `${((perSecond * 3600) / 1e6).toFixed(1)} MB`];
}
