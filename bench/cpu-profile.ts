import { readdir, readFile } from "node:fs/promises";
import type { Profiler } from "node:inspector";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Microseconds of a process, by what spent them: a package, a source file of this repository, or a part of Node.js. */
export type Spending = Map<string, number>;

type Frame = Profiler.ProfileNode["callFrame"];
type SourceMaps = Map<string, SourceMap>;

const OF_THE_PROJECT = /^.*?((server|bench|prisma)\/)/;
const OUTSIDE = "Node.js: outside JavaScript (system calls, compiler)";
const PARTS_OF_NODE: readonly [RegExp, string][] = [
  [/crypto/, "Node.js: crypto"],
  [/async_hooks|promise|task_queues|timers/, "Node.js: promises, timers, async hooks"],
  [/http|net|stream|events|buffer|tcp/, "Node.js: HTTP, sockets, streams"],
];

/** Options of `node` that leave a CPU profile in a folder when the process ends. */
export function profilerOptions(folder: string): string[] {
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`, "--cpu-prof-interval=250"];
}

/** The time on the clock of CPU profiles, in microseconds. */
export function profilerTime(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Adds up the time between two moments by what spent it, from the one profile in a folder. Waiting is left out. */
export async function readSpending(folder: string, from: number, to: number): Promise<Spending> {
  const [file = ""] = await readdir(folder);
  const profile = JSON.parse(await readFile(join(folder, file), "utf8")) as Profiler.Profile;
  const { samples = [], timeDeltas = [] } = profile;
  const spenders = await findSpenders(profile.nodes);
  const spending: Spending = new Map();
  let time = profile.startTime;
  for (const [i, id] of samples.entries()) {
    time += timeDeltas[i] ?? 0;
    const spender = spenders.get(id);
    if (spender === undefined || time < from || time > to) continue;
    // A sample counts until the next one.
    spending.set(spender, (spending.get(spender) ?? 0) + (timeDeltas[i + 1] ?? 0));
  }
  return spending;
}

/** The package or file that spends the time of each node of a profile. A node that waits has none. */
async function findSpenders(nodes: Profiler.ProfileNode[]): Promise<Map<number, string>> {
  const callers = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)));
  const maps = await readSourceMaps(nodes);
  const spenders = new Map<number, string>();
  for (const node of nodes) {
    const name = node.callFrame.functionName;
    if (name === "(idle)" || name === "(root)") continue;
    if (name === "(garbage collector)") spenders.set(node.id, "garbage collection");
    else spenders.set(node.id, spenderOf(node, callers, maps));
  }
  return spenders;
}

/**
 * A function of Node.js counts for the package that called it, so a write by the database driver counts for the driver.
 * When this repository or no code called it, it counts as a part of Node.js, because every server needs it.
 */
function spenderOf(node: Profiler.ProfileNode, callers: Map<number, Profiler.ProfileNode>, maps: SourceMaps): string {
  let part: string | undefined;
  for (let at: Profiler.ProfileNode | undefined = node; at; at = callers.get(at.id)) {
    const { url } = at.callFrame;
    const source = sourceOf(at.callFrame, maps);
    const [, packageName] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
    if (packageName) return packageName;
    if (url.startsWith("file:")) return part ?? (at === node ? source.replace(OF_THE_PROJECT, "$1") : OUTSIDE);
    if (url.startsWith("node:")) part ??= PARTS_OF_NODE.find(([pattern]) => pattern.test(url))?.[1] ?? "Node.js: other";
  }
  return part ?? OUTSIDE;
}

function sourceOf({ url, lineNumber, columnNumber }: Frame, maps: SourceMaps): string {
  const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
  return entry && "originalSource" in entry ? entry.originalSource : url;
}

async function readSourceMaps(nodes: Profiler.ProfileNode[]): Promise<SourceMaps> {
  const urls = new Set(nodes.map(({ callFrame }) => callFrame.url).filter((url) => url.includes("/.build/")));
  const maps: SourceMaps = new Map();
  for (const url of urls) maps.set(url, new SourceMap(JSON.parse(await readFile(`${fileURLToPath(url)}.map`, "utf8"))));
  return maps;
}
