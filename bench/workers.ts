import { availableParallelism } from "node:os";
import { settle } from "./compare";
import { authorizeAndCapture } from "./endpoints";
import { load } from "./load";
import { median } from "./median";
import { atLeast, type Part } from "./part";
import { listChildren, readParent, readProcessorTime, readProcessTime } from "./process-time";
import { sized } from "./quick";
import { type Server, type Servers, startWithWorkers, withServers } from "./servers";
import { seedSpenders } from "./spend";
import { count, table } from "./table";

/** What one number of workers reached in a round. Times are microseconds of processor time for a request. */
interface Round {
  perSecond: number;
  p99: number;
  /** Of the one thread on which JavaScript runs, added up over the workers. It bounds what one worker can serve. */
  mainThread: number;
  /** Of the primary process and the workers, with all their threads. */
  server: number;
  postgres: number;
  load: number;
}

interface Figures {
  cores: number;
  one: Round;
  two: Round;
  /** Requests per second of two workers divided by those of one: the median of the rounds. */
  ratio: number;
  spread: [number, number];
}

const ROUNDS = sized(5, 1);
const ROUND_SECONDS = sized(8, 1);
/** A core for each worker, one for the load, and some for PostgreSQL, which needs about as much as a worker. */
const CORES_ENOUGH = 6;
const LEAST = 1.7;

/** Authorize and capture with one worker and with two, on one database. */
export const workers: Part<Figures> = {
  name: "workers",
  isOnRequest: true,
  measure: (folder) => withServers(folder, measure),
  report: ({ cores, one, two, ratio, spread }) => `## Workers

Authorize and capture, 1,000 keys of one account, in ${ROUNDS} rounds with one and two workers in turn. Two workers served
${ratio.toFixed(2)} times as much as one (${spread.map((each) => each.toFixed(2)).join(" to ")} in the rounds). Load, PostgreSQL and workers share ${cores} cores, so what
is measured cannot be more than what these cores have for a request with two workers, ${ceiling(cores, one, two).toFixed(2)} times (calculated from the
processor time). One worker cannot serve more than its main thread; two of them have twice that thread, so with cores enough the bound
of the workers is ${bound(one, two).toFixed(2)} times as high (calculated).

${table(
  ["workers", "requests/s", "p99 ms", "main threads µs", "all of the server µs", "PostgreSQL µs", "load µs"],
  [cells("1", one), cells("2", two)],
)}`,
  targets: ({ cores, one, two, ratio }) => [
    cores >= CORES_ENOUGH
      ? atLeast("two workers: times the requests of one", ratio, LEAST)
      : atLeast("two workers: times the bound of one, by the time of their main threads", bound(one, two), LEAST),
  ],
};

/** How many times as much two workers could serve, if nothing but their main threads bounded them. */
function bound(one: Round, two: Round): number {
  return (2 * one.mainThread) / two.mainThread;
}

/** How many times as much as one worker two can serve on this machine, when every core has work all the time. */
function ceiling(cores: number, one: Round, two: Round): number {
  return (cores * 1e6) / (two.server + two.postgres + two.load) / one.perSecond;
}

function cells(name: string, round: Round): string[] {
  const times = [round.mainThread, round.server, round.postgres, round.load].map((each) => each.toFixed(0));
  return [name, count(round.perSecond), round.p99.toFixed(1), ...times];
}

async function measure(servers: Servers): Promise<Figures> {
  const keys = await seedSpenders(servers);
  const sides = [servers.product, await startWithWorkers(servers, 2)] as const;
  const endpoint = authorizeAndCapture("authorize and capture", keys);
  for (const { url } of sides) await load(url, endpoint, { seconds: sized(10, 1) });
  const rounds: [Round, Round][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const measured: Round[] = [];
    for (const side of sides) {
      await settle(servers.client);
      measured.push(await measureRound(servers, side, keys));
    }
    rounds.push(measured as [Round, Round]);
  }
  const ratios = rounds.map(([one, two]) => two.perSecond / one.perSecond);
  return {
    cores: availableParallelism(),
    one: medians(rounds.map(([one]) => one)),
    two: medians(rounds.map(([, two]) => two)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

async function measureRound({ client }: Servers, { url, pid }: Server, keys: readonly string[]): Promise<Round> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const postmaster = await readParent(rows[0]?.pid ?? 0);
  // PostgreSQL may be a child of the server too.
  const processes = [pid, ...(await listChildren(pid)).filter((child) => child !== postmaster)];
  const read = async () => ({
    mainThread: await sum(processes, readProcessorTime),
    server: await sum(processes, readProcessTime),
    postgres: await sum(await listChildren(postmaster), readProcessTime),
    load: cpuMicroseconds(),
  });
  const before = await read();
  const { requests, perSecond, p99 } = await load(url, authorizeAndCapture("", keys), { seconds: ROUND_SECONDS });
  const after = await read();
  const each = (of: keyof typeof before) => (after[of] - before[of]) / requests;
  return {
    perSecond,
    p99,
    mainThread: each("mainThread"),
    server: each("server"),
    postgres: each("postgres"),
    load: each("load"),
  };
}

async function sum(pids: readonly number[], read: (pid: number) => Promise<number | undefined>): Promise<number> {
  const times = await Promise.all(pids.map(read));
  return times.reduce<number>((total, time) => total + (time ?? 0), 0);
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function medians(rounds: readonly Round[]): Round {
  const of = (figure: keyof Round) => median(rounds.map((round) => round[figure]));
  return {
    perSecond: of("perSecond"),
    p99: of("p99"),
    mainThread: of("mainThread"),
    server: of("server"),
    postgres: of("postgres"),
    load: of("load"),
  };
}
