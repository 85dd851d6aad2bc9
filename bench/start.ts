import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { onClose } from "./closers";
import { median } from "./median";
import { atMost, type Part } from "./part";
import { sized } from "./quick";
import { count, table } from "./table";

/** One start. Times are in milliseconds. */
interface Start {
  /** Until it answers `/readyz` with 200. */
  ready: number;
  /** Processor time of all its threads until then. Undefined where there is no /proc. */
  processor: number | undefined;
  /** From the first request for a page until its end. */
  firstPage: number;
}

interface Figures {
  starts: Start[];
  /** Size of the folder that `npm run build` makes, in megabytes. */
  megabytes: number;
}

const STARTS = sized(9, 2);
/** Seconds that a start may take. */
const LONGEST_START = 1.5;

/** How long a start of the built folder takes, with an embedded database that exists. */
export const start: Part<Figures> = {
  name: "start",
  async measure(folder) {
    const built = spawnSync("npm", ["run", "-s", "build"], { stdio: ["ignore", "ignore", "inherit"] });
    if (built.status !== 0) throw new Error("the folder was not built");
    await measureStart(folder);
    const starts: Start[] = [];
    for (let i = 0; i < STARTS; i++) starts.push(await measureStart(folder));
    return { starts, megabytes: Number.parseInt(spawnSync("du", ["-sm", "dist"], { encoding: "utf8" }).stdout, 10) };
  },
  report: ({ starts, megabytes }) => `## Start

Medians of ${starts.length} starts of the folder that \`npm run build\` makes (${megabytes} MB), with an embedded database that
exists. The aim is ${LONGEST_START} s at most until it is ready. The first page of a process loads Next.js.

${table(
  ["", "ms"],
  [
    ["until `/readyz` is 200", `**${count(middle(starts, "ready"))}**`],
    ["processor time of the process until then", count(middle(starts, "processor"))],
    ["the first page", count(middle(starts, "firstPage"))],
  ],
)}`,
  targets: ({ starts }) => [atMost("start", middle(starts, "ready") / 1000, LONGEST_START, "s")],
};

function middle(starts: Start[], figure: keyof Start): number {
  return median(starts.map((each) => each[figure] ?? Number.NaN));
}

async function measureStart(folder: string): Promise<Start> {
  const begun = performance.now();
  const child = spawn(process.execPath, ["dist/allowance.mjs", "start"], {
    env: { PORT: "0", DATA_DIR: folder, LOG_LEVEL: "warn", NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onClose(async () => void child.kill("SIGKILL"));
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.once("exit", () => reject(new Error(`the server ended: ${output}`)));
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const address = /serves at (http:\/\/localhost:\d+)/.exec(output)?.[1];
      if (address) resolve(address);
    });
  });
  const { status } = await fetch(`${url}/readyz`);
  if (status !== 200) throw new Error(`not ready: ${status}`);
  const ready = performance.now() - begun;
  const processor = await processorTime(child.pid ?? 0);
  const asked = performance.now();
  await (await fetch(`${url}/sign-in`)).text();
  const firstPage = performance.now() - asked;
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
  return { ready, processor, firstPage };
}

/** Milliseconds that a process has run, in all its threads. */
async function processorTime(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) * 10;
}
