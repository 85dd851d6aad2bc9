import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { closeDownTo, onClose } from "./closers";
import type { Part } from "./part";
import { parts } from "./parts";
import { isQuick } from "./quick";
import { keep, missed, writeResults } from "./results";

/** The modules of the parts read these too. */
const OPTIONS = { quick: { type: "boolean" }, minutes: { type: "string" } } as const;

/**
 * Runs the parts that are named, or all but those that take long, and writes bench/results.md. Ends with 1 when a target
 * of a part is missed.
 */
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void closeDownTo(0).finally(() => process.exit(1)));
}
try {
  for (const part of chosenParts()) await run(part);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
await closeDownTo(0);

function chosenParts(): Part<unknown>[] {
  const { positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const unknown = positionals.filter((name) => parts.every((part) => part.name !== name));
  if (unknown.length > 0) {
    const names = parts.map(({ name }) => name).join(", ");
    throw new Error(`there is no part ${unknown.join(", ")}; the parts are: ${names}`);
  }
  return parts.filter(({ name, isOnRequest }) => (positionals.length > 0 ? positionals.includes(name) : !isOnRequest));
}

async function run(part: Part<unknown>): Promise<void> {
  console.error(`bench: ${part.name}`);
  const folder = await mkdtemp(join(tmpdir(), "allowance-bench-"));
  onClose(() => rm(folder, { recursive: true, force: true }));
  // When this process is root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o755);
  // The figures are what a file of JSON gives back, also where no file is written.
  const figures = JSON.parse(JSON.stringify(await part.measure(folder)));
  await closeDownTo(0);
  console.log(`${part.report(figures)}\n`);
  for (const line of missed(part.targets(figures))) {
    console.error(line);
    process.exitCode = 1;
  }
  if (isQuick) return;
  await mkdir("bench/results", { recursive: true });
  await keep(part, figures);
  await writeResults(parts);
}
