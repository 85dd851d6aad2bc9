import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { auditBooks } from "../server/authorizations/audit-queries";
import { Cluster } from "./cluster";
import { median } from "./median";
import { atMost, type Part, type Target } from "./part";
import { readResidentMemory } from "./process-time";
import { isQuick } from "./quick";
import { type SoakAccount, SoakLoad } from "./soak-load";
import { count, megabytes, table } from "./table";

/** Memory of a process at one moment. */
interface Sample {
  /** Seconds since the load began. */
  at: number;
  bytes: number;
}

/** What a process has open at one moment. */
interface Opened {
  /** Seconds since the load began. */
  at: number;
  /** Files and sockets. */
  files: number;
  /** Timers that run. */
  timers: number;
}

interface Figures {
  seconds: number;
  requests: number;
  captures: number;
  created: number;
  refused: number;
  /** Connections that broke, and answers 503. Both were repeated. */
  broken: number;
  unavailable: number;
  /** What happened, and at which second. */
  events: { at: number; what: string }[];
  /** Answers that should not be. */
  faults: string[];
  /** Captures and keys that were acknowledged and are not in the database. */
  lost: number;
  /** Keys that have spent more than their budget. */
  exceeded: number;
  differences: number;
  /** The same in a database that was restored from a backup in the middle. */
  restoredDifferences: number;
  /** Of the replica that lives from the beginning to the end. */
  resident: Sample[];
  heap: Sample[];
  opened: Opened[];
}

const SECONDS = isQuick ? 60 : 60 * minutesAsked();
const SAMPLE_MS = 2_000;
const METRICS_MS = 10_000;
/** A shorter run is too short for a slope: it hardly has full garbage collections. */
const JUDGED_FROM_SECONDS = 300;
/** What memory may grow by over the rest, as a share of itself. */
const GREATEST_GROWTH = 0.05;
/** How many files, sockets and timers more may be open at the end: each client may just have one. */
const MOST_MORE_OPEN = 16;
/** How long after an outage answers may still be 503: a request may have begun in it. */
const GRACE_MS = 10_000;
const KEYS = 200;
const TIGHT_KEYS = 5;
const TIGHT_BUDGET = 20;
const MARK_COMPACT = /(\d+) ms: Mark-Compact.*? -> ([\d.]+) \(/g;
/** The replica that nobody restarts, and the one that is restarted and killed. */
const [LASTING, OTHER] = [0, 1];

/** `--minutes`: how long the load lasts. */
function minutesAsked(): number {
  const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } }, strict: false });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error("--minutes must be a number of minutes");
  return minutes;
}

const OPENED = [
  ["open files and sockets", "files"],
  ["timers", "timers"],
] as const;

/** Two replicas under a mixed load, while servers and PostgreSQL are restarted and killed. */
export const soak: Part<Figures> = {
  name: "soak",
  isOnRequest: true,
  measure,
  report: (figures) => `## Soak

${figures.seconds / 60} minutes of authorizations, captures, voids, refusals, checks, new keys, limits, lists, usage, history, exports and
sign-in pages from 16 clients, over a balancer, on two replicas and one PostgreSQL: ${count(figures.requests)} requests, ${count(figures.captures)}
captures acknowledged, ${count(figures.created)} keys made, ${count(figures.refused)} authorizations refused. ${count(figures.broken)} connections broke and
${count(figures.unavailable)} answers were 503; the clients repeated them.

${table(
  ["at", "what"],
  figures.events.map(({ at, what }) => [`${at.toFixed(0)} s`, what]),
)}

${table(
  ["the replica that was not restarted", "at one third", "at the end", "slope an hour"],
  [
    ["resident memory", ...trendCells(figures.resident, figures.seconds)],
    ["heap after a full garbage collection", ...trendCells(figures.heap, figures.seconds)],
  ],
)}

${table(
  ["the same replica, median", "in the second third", "in the last third"],
  OPENED.map(([title, name]) => [
    title,
    ...(mediansOf(figures.opened, name, figures.seconds)?.map(count) ?? ["too few samples"]),
  ]),
)}`,
  targets: ({ seconds, faults, lost, exceeded, differences, restoredDifferences, resident, heap, opened }) => [
    atMost("acknowledged writes that were lost", lost, 0),
    atMost("keys over their limit", exceeded, 0),
    atMost("differences in the books", differences, 0),
    atMost("differences in the books of a backup from under load", restoredDifferences, 0),
    atMost("answers that should not be", faults.length, 0),
    ...flatTarget("resident memory", resident, seconds),
    ...flatTarget("heap", heap, seconds),
    ...OPENED.flatMap(([title, name]) => {
      const medians = mediansOf(opened, name, seconds);
      if (!medians) return [];
      const [before, after] = medians;
      return [atMost(`${title}: how many more in the last third of the soak`, after - before, MOST_MORE_OPEN)];
    }),
  ],
};

async function measure(folder: string): Promise<Figures> {
  const cluster = await Cluster.start(folder, 2);
  const account = await makeAccount(cluster);
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  let awayUntil = 0;
  const load = new SoakLoad(cluster.url, account, () => performance.now() < awayUntil);
  const logged = (await cluster.readLog(LASTING)).length;
  const resident: Sample[] = [];
  const sampler = setInterval(async () => {
    resident.push({ at: seconds(), bytes: await readResidentMemory(cluster.pidOf(LASTING)) });
  }, SAMPLE_MS);
  const opened: Opened[] = [];
  const scraper = setInterval(async () => {
    const metrics = await cluster.readMetrics(LASTING).catch(() => "");
    const files = metricOf(metrics, "process_open_fds");
    const timers = metricOf(metrics, 'nodejs_active_resources{type="Timeout"}') ?? 0;
    if (files !== undefined) opened.push({ at: seconds(), files, timers });
  }, METRICS_MS);
  const events: Figures["events"] = [];
  const outage = async (work: () => Promise<void>) => {
    awayUntil = Number.POSITIVE_INFINITY;
    await work();
    await cluster.startPostgres();
    await cluster.waitUntilReady();
    awayUntil = performance.now() + GRACE_MS;
  };
  let restoredDifferences = 0;
  const plan: [number, string, () => Promise<void>][] = [
    [0.1, "PostgreSQL is restarted", () => outage(() => cluster.stopPostgres())],
    [
      0.25,
      "a replica is restarted",
      async () => {
        await cluster.stopReplica(OTHER);
        await cluster.startReplica(OTHER);
      },
    ],
    [
      0.4,
      "a replica is killed",
      async () => {
        await cluster.killReplica(OTHER);
        await cluster.startReplica(OTHER);
      },
    ],
    [0.55, "PostgreSQL is killed", () => outage(() => cluster.killPostgres())],
    [
      0.7,
      "a backup is written, restored into another database, and audited",
      async () => {
        restoredDifferences = await backUpAndRestore(cluster, folder);
      },
    ],
  ];
  load.begin();
  try {
    for (const [share, what, work] of plan) {
      await delay(Math.max(0, share * SECONDS * 1000 - seconds() * 1000));
      events.push({ at: seconds(), what });
      console.error(`soak: ${seconds().toFixed(0)} s: ${what}`);
      await work();
    }
    await delay(Math.max(0, (SECONDS - seconds()) * 1000));
  } finally {
    clearInterval(sampler);
    clearInterval(scraper);
    await load.end();
  }
  for (const fault of load.faults.slice(0, 20)) console.error(`soak: ${fault}`);
  const { gateway } = load;
  return {
    seconds: SECONDS,
    requests: load.requests,
    captures: gateway.captured.size,
    created: load.created.size,
    refused: gateway.refused,
    broken: gateway.broken,
    unavailable: gateway.unavailable,
    events,
    faults: load.faults,
    ...(await compare(cluster, load)),
    restoredDifferences,
    resident,
    heap: heapOf((await cluster.readLog(LASTING)).slice(logged)),
    opened,
  };
}

async function makeAccount(cluster: Cluster): Promise<SoakAccount> {
  const { apikey: owner } = JSON.parse(
    await runCommand(cluster, ["account", "create", "--email", "owner@example.com"]),
  );
  const make = async (budget: number) => {
    const answer = await fetch(`${cluster.url}/v1/apikeys`, {
      method: "POST",
      headers: { authorization: `Bearer ${owner}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "production", budget }),
    });
    return ((await answer.json()) as { apikey: string }).apikey;
  };
  const makeMany = async (number: number, budget: number) => {
    const made: string[] = [];
    while (made.length < number) made.push(await make(budget));
    return made;
  };
  return { owner, keys: await makeMany(KEYS, 1e9), tight: await makeMany(TIGHT_KEYS, TIGHT_BUDGET) };
}

/** Runs a command beside the replicas, and returns what it prints. */
async function runCommand(cluster: Cluster, words: string[], settings: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, ...cluster.env, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, ["server/cli/run.mjs", "allowance", ...words], {
    env,
  });
  return stdout;
}

/** Restores a backup, which is written under load, into another database. Returns the differences in its books. */
async function backUpAndRestore(cluster: Cluster, folder: string): Promise<number> {
  const file = join(folder, "soak.backup");
  await runCommand(cluster, ["backup", file]);
  const client = await cluster.connect();
  await client.query("CREATE DATABASE restored TEMPLATE template0 ENCODING 'UTF8'");
  await client.end();
  const restored = cluster.databaseUrl.replace(/[^/]*$/, "restored");
  await runCommand(cluster, ["restore", file], { DATABASE_URL: restored });
  return audit(cluster, restored);
}

async function audit(cluster: Cluster, databaseUrl: string): Promise<number> {
  const client = await cluster.connect(databaseUrl);
  try {
    const { differences } = await auditBooks(client, 400);
    for (const difference of differences.slice(0, 20)) console.error(`soak: ${JSON.stringify(difference)}`);
    return differences.length;
  } finally {
    await client.end();
  }
}

/** Compares what was acknowledged with the database. */
async function compare(
  cluster: Cluster,
  { gateway, created }: SoakLoad,
): Promise<Pick<Figures, "lost" | "exceeded" | "differences">> {
  const client = await cluster.connect();
  try {
    const { rows: captured } = await client.query<{ id: string; amount: number }>(
      "SELECT account_id || authorization_id AS id, amount::float8 FROM ledger",
    );
    const amounts = new Map(captured.map(({ id, amount }) => [id, amount]));
    const { rows: keys } = await client.query<{ id: string; exceeded: boolean }>(
      "SELECT id, coalesce(spent > budget, false) AS exceeded FROM api_key",
    );
    const ids = new Set(keys.map(({ id }) => id));
    const lostCaptures = [...gateway.captured].filter(([id, amount]) => amounts.get(id) !== amount);
    const lostKeys = [...created].filter((id) => !ids.has(id));
    const kept = [...gateway.voided].filter((id) => amounts.has(id));
    return {
      lost: lostCaptures.length + lostKeys.length + kept.length,
      exceeded: keys.filter(({ exceeded }) => exceeded).length,
      differences: await audit(cluster, cluster.databaseUrl),
    };
  } finally {
    await client.end();
  }
}

/** The value of a metric; undefined where the text does not have it. */
function metricOf(metrics: string, name: string): number | undefined {
  const line = metrics.split("\n").find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ") + 1));
}

/** The medians of the second third of the soak and of the last one. Undefined where there are too few samples. */
function mediansOf(opened: readonly Opened[], name: "files" | "timers", seconds: number): [number, number] | undefined {
  const thirds = [1, 2].map((third) =>
    opened.filter(({ at }) => Math.floor((at / seconds) * 3) === third).map((each) => each[name]),
  );
  const [second = [], last = []] = thirds;
  return second.length < 3 || last.length < 3 ? undefined : [median(second), median(last)];
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

/**
 * The straight line through the samples that are judged. The first third is not: Node.js compiles what runs often, and
 * connections are opened. Undefined where there are too few for a line.
 */
function trendOf(
  samples: readonly Sample[],
  seconds: number,
): { first: number; last: number; perSecond: number } | undefined {
  const settledFrom = seconds / 3;
  const judged = samples.filter(({ at }) => at >= settledFrom);
  if (judged.length < 3) return undefined;
  const mean = (of: (sample: Sample) => number) => judged.reduce((sum, sample) => sum + of(sample), 0) / judged.length;
  const [at, bytes] = [mean((sample) => sample.at), mean((sample) => sample.bytes)];
  const spread = mean((sample) => (sample.at - at) ** 2);
  const perSecond = mean((sample) => (sample.at - at) * (sample.bytes - bytes)) / spread;
  return { first: bytes + perSecond * (settledFrom - at), last: bytes + perSecond * (seconds - at), perSecond };
}

function flatTarget(title: string, samples: readonly Sample[], seconds: number): Target[] {
  const trend = trendOf(samples, seconds);
  if (!trend || seconds < JUDGED_FROM_SECONDS) return [];
  const growth = trend.last / trend.first - 1;
  return [atMost(`${title}: growth over the last two thirds of the soak`, growth, GREATEST_GROWTH)];
}

function trendCells(samples: readonly Sample[], seconds: number): string[] {
  const trend = trendOf(samples, seconds);
  if (!trend) return ["too few samples"];
  return [megabytes(trend.first), megabytes(trend.last), `${((trend.perSecond * 3600) / 1e6).toFixed(1)} MB`];
}
