import { readFile, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import type { Part, Target } from "./part";
import { table } from "./table";

/** The figures of a part, as a file of bench/results keeps them. */
interface Kept {
  /** Day of the run, as 2026-11-21. */
  date: string;
  /** What it ran on: words for each name. */
  machine: Record<string, string>;
  figures: unknown;
}

const FILE = "bench/results.md";
const INTRODUCTION = `Written by \`npm run bench\`. The product runs as in production beside a reference server
(\`bench/reference/\`): a plain design for the same answers, written for least work and not copied from the product, with
tables of its own in the same PostgreSQL, one prepared statement a call over \`node:http\` and \`pg\`, 16 connections, no
framework, no checks, no log. Both are loaded in turn over 32 connections, in three rounds; each figure is the median of
the rounds. Load, servers and PostgreSQL share the cores of one machine, so the ratio is what counts, not the requests
per second. Each part can be repeated alone: \`npm run bench -- spend\`.`;

/** Keeps the figures of a part. */
export async function keep({ name }: Part<unknown>, figures: unknown): Promise<void> {
  const kept: Kept = { date: new Date().toISOString().slice(0, 10), machine: await describeMachine(), figures };
  await writeFile(fileOf(name), `${JSON.stringify(kept, null, 2)}\n`);
}

/** Puts bench/results.md and the files of the parts together from the figures that are kept. */
export async function writeResults(parts: readonly Part<unknown>[]): Promise<void> {
  const sections: string[] = [];
  const rows: string[][] = [];
  for (const part of parts) {
    const kept = await read(part.name);
    if (!kept) continue;
    const { date, machine, figures } = kept;
    const place = Object.values(machine).join(", ");
    sections.push(part.report(figures), `${date}; ${place}.`);
    for (const { title, value, bound, isMet } of part.targets(figures)) {
      rows.push([part.name, title, value, bound, isMet ? "yes" : "**no**"]);
    }
    for (const [path, text] of Object.entries(part.files?.(figures) ?? {})) await writeFile(path, text);
  }
  const targets = table(["part", "target", "measured", "bound", "met"], rows);
  await writeFile(FILE, `${["# Benchmark", INTRODUCTION, "## Targets", targets, ...sections].join("\n\n")}\n`);
}

/** A line for each target that is missed. */
export function missed(targets: readonly Target[]): string[] {
  return targets
    .filter(({ isMet }) => !isMet)
    .map(({ title, value, bound }) => `missed: ${title}: ${value}, target ${bound}`);
}

async function read(name: string): Promise<Kept | undefined> {
  const text = await readFile(fileOf(name), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Kept);
}

function fileOf(name: string): string {
  return `bench/results/${name}.json`;
}

async function describeMachine(): Promise<Record<string, string>> {
  const { dependencies, optionalDependencies } = JSON.parse(await readFile("package.json", "utf8")) as Record<
    string,
    Record<string, string>
  >;
  const processors = cpus();
  const [postgres = ""] = Object.values(optionalDependencies ?? {});
  return {
    processor: `${processors.length} cores of ${processors[0]?.model.trim()}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: `Node.js ${process.versions.node}`,
    postgres: `PostgreSQL ${postgres.replace(/(\.0)?-.*/, "")}`,
    packages: ["pg", "@trpc/server", "zod"].map((name) => `${name} ${dependencies?.[name]}`).join(", "),
  };
}
