import { readFile, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import type { BatchMeasurement } from "./batch";
import type { Comparison } from "./compare";
import type { ListMeasurement } from "./lists";
import type { PageMeasurement } from "./pages";
import type { SpendingComparison } from "./spending";
import type { StatementMeasurement } from "./statements";

/** Everything that one run has measured. */
export interface Results {
  comparisons: Comparison[];
  batch: BatchMeasurement;
  lists: ListMeasurement[];
  pages: PageMeasurement[];
  statements: StatementMeasurement[];
  spendings: SpendingComparison[];
  postgresVersion: string;
}

const FILE = "bench/results.md";
/** Setting the limits of a group may take at most this many times as long as the bare UPDATE. */
const GREATEST_BATCH_RATIO = 1.5;
/** Milliseconds that a list of the dashboard may take. */
const GREATEST_LIST_MS = 200;
/** Bytes of compressed JavaScript that the first load of a page may take. */
const GREATEST_SCRIPT_BYTES = 300_000;
/** Below so many microseconds per request, a package or file is not listed by name. */
const LEAST_SPENDING = 1;

const SET_UP = `The reference server (\`bench/reference.ts\`) is \`node:http\` and \`pg\` with the same prepared statements and nothing
else: no framework, no checks, no log. Both servers use one database, with as many connections, and are loaded in turn
over 32 connections; each figure is the median of the rounds. The product runs as in production, and has rendered a
page before. The load, both servers and PostgreSQL share the cores of one machine.`;

const LISTS = `Lists of an account of 100,000 keys in 200 groups with a history of as many changes (\`npm run seed\`), over HTTP, one
request at a time. The aim is an answer within ${GREATEST_LIST_MS} ms; the median counts.`;

const PAGES = `JavaScript that a browser with empty caches loads for a page of that account, compressed as it comes over the wire.
The aim is at most ${GREATEST_SCRIPT_BYTES / 1000} kB.`;

const STATEMENTS = `Operations of the hot path by the product's prepared statements, and as Prisma would do them: 32 at a time, in
one process. Processor time is that of Node.js, without PostgreSQL's.`;

const SPENDINGS = `Both servers once more, under V8's profiler, which makes them slower. Time is that in which the process did not
wait for something to do, divided by the requests answered. A function of Node.js counts for the package that called
it; called by a server's own code or by nobody, it is listed as a part of Node.js. What the product does beyond the
reference is found in these rows:

- \`@trpc/server\`: each procedure is a chain of steps (caller, input, work, answer), and each step copies the call's options
- \`zod\`, \`server/input\`, \`server/limits\`: the checks of the parameters, and of the answer
- \`pino\`, \`sonic-boom\`: a line in the log for each request, written before the next
- \`server/rest\`, \`server/http.ts\`, HTTP: routing, security headers, the id of the request, the bytes of the body
- \`next\`: Next.js wraps a few functions of Node.js in its process (the clock, random numbers, \`nextTick\`)`;

/** The targets that a run has missed, in words. */
export function missedTargets({ comparisons, batch, lists, pages }: Results): string[] {
  const missed = comparisons
    .filter(({ ratio, target = 0 }) => ratio < target)
    .map(({ title, ratio, target }) => `${title}: ${ratio.toFixed(2)} of the reference, target ${target}`);
  for (const { title, isTailBound, product, reference } of comparisons) {
    if (isTailBound && product.p99 > reference.p99) {
      missed.push(`${title}: p99 ${product.p99.toFixed(1)} ms, of the reference ${reference.p99.toFixed(1)} ms`);
    }
  }
  const ratio = batch.productMs / batch.statementMs;
  if (ratio > GREATEST_BATCH_RATIO) {
    missed.push(`set the limits of a group: ${ratio.toFixed(2)} times the UPDATE, target ${GREATEST_BATCH_RATIO}`);
  }
  for (const { title, medianMs } of lists) {
    if (medianMs > GREATEST_LIST_MS) missed.push(`${title}: ${count(medianMs)} ms, target ${GREATEST_LIST_MS}`);
  }
  for (const { page, scriptBytes } of pages) {
    if (scriptBytes > GREATEST_SCRIPT_BYTES) missed.push(`${page}: ${kilobytes(scriptBytes)} of JavaScript`);
  }
  return missed;
}

/** Writes bench/results.md and returns its text. */
export async function writeReport(results: Results): Promise<string> {
  const sections = [
    "# Benchmark",
    `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}.`,
    SET_UP,
    loadTable(results.comparisons),
    batchTable(results.batch),
    await environmentTable(results.postgresVersion),
    "## Lists",
    LISTS,
    listTable(results.lists),
    "## First load",
    PAGES,
    pageTable(results.pages),
    "## Prepared statements",
    STATEMENTS,
    statementTable(results.statements),
    "## Where the rest goes",
    SPENDINGS,
    ...results.spendings.map(spendingTable),
  ];
  const text = `${sections.join("\n\n")}\n`;
  await writeFile(FILE, text);
  return text;
}

async function environmentTable(postgresVersion: string): Promise<string> {
  const { dependencies } = JSON.parse(await readFile("package.json", "utf8")) as {
    dependencies: Record<string, string>;
  };
  const processors = cpus();
  return table(
    ["", ""],
    [
      ["processor", `${processors[0]?.model.trim()}, ${processors.length} cores`],
      ["memory", `${Math.round(totalmem() / 2 ** 30)} GiB`],
      ["Node.js", process.versions.node],
      ["PostgreSQL", postgresVersion],
      ...["pg", "@prisma/client", "@trpc/server", "zod"].map((name) => [name, dependencies[name] ?? ""]),
    ],
  );
}

function loadTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.flatMap(({ title, target, product, reference, ratio, spread }) => {
    const figures = (of: Comparison["product"]) => [count(of.perSecond), of.p50.toFixed(1), of.p99.toFixed(1)];
    const [lowest, highest] = spread;
    const rounds = `${lowest.toFixed(2)} to ${highest.toFixed(2)}`;
    return [
      [title, "product", ...figures(product), `**${ratio.toFixed(2)}**`, rounds, target ? `≥ ${target}` : ""],
      ["", "reference", ...figures(reference), "1", "", ""],
    ];
  });
  return table(["request", "server", "requests/s", "p50 ms", "p99 ms", "ratio", "in the rounds", "target"], rows);
}

function batchTable({ keys, productMs, statementMs }: BatchMeasurement): string {
  const ratio = (productMs / statementMs).toFixed(2);
  return table(
    [`set the limits of ${count(keys)} keys`, "median ms", "ratio", "target"],
    [
      [
        "product, POST /v1/apikey_groups/{group_id}/batch_budget",
        count(productMs),
        `**${ratio}**`,
        `≤ ${GREATEST_BATCH_RATIO}`,
      ],
      ["the bare UPDATE through `pg`", count(statementMs), "1", ""],
    ],
  );
}

function listTable(lists: readonly ListMeasurement[]): string {
  const rows = lists.map(({ title, total, medianMs, slowestMs }) => [
    title,
    count(total),
    `**${medianMs.toFixed(0)}**`,
    slowestMs.toFixed(0),
  ]);
  return table(["list", "found", "median ms", "slowest ms"], rows);
}

function pageTable(pages: readonly PageMeasurement[]): string {
  const rows = pages.map(({ page, scriptBytes, scripts }) => [page, `**${kilobytes(scriptBytes)}**`, count(scripts)]);
  return table(["page", "JavaScript", "files"], rows);
}

function kilobytes(bytes: number): string {
  return `${count(bytes / 1000)} kB`;
}

function statementTable(statements: readonly StatementMeasurement[]): string {
  const rows = statements.flatMap(({ title, prepared, prisma }) => [
    [title, "prepared statement", count(prepared.perSecond), prepared.cpu.toFixed(0)],
    ["", "Prisma", count(prisma.perSecond), prisma.cpu.toFixed(0)],
  ]);
  return table(["operation", "by", "operations/s", "processor µs each"], rows);
}

function spendingTable({ title, product, reference }: SpendingComparison): string {
  const spenders = [...new Set([...product.keys(), ...reference.keys()])]
    .map((name) => ({ name, product: product.get(name) ?? 0, reference: reference.get(name) ?? 0 }))
    .sort((a, b) => b.product - b.reference - (a.product - a.reference));
  const isListed = (row: { product: number; reference: number }) =>
    Math.max(row.product, row.reference) >= LEAST_SPENDING;
  const rest = spenders.filter((row) => !isListed(row));
  const rows = [
    { name: "**all**", product: total(product.values()), reference: total(reference.values()) },
    ...spenders.filter(isListed),
    {
      name: "others",
      product: total(rest.map((row) => row.product)),
      reference: total(rest.map((row) => row.reference)),
    },
  ];
  const cells = rows.map((row) => [
    row.name,
    ...[row.product, row.reference, row.product - row.reference].map((microseconds) => microseconds.toFixed(1)),
  ]);
  return `### ${title}\n\n${table(["µs a request", "product", "reference", "difference"], cells)}`;
}

function total(microseconds: Iterable<number>): number {
  return [...microseconds].reduce((sum, value) => sum + value, 0);
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** A table in Markdown. Each column is as wide as its widest cell. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const rule = widths.map((width) => "-".repeat(width));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [head, rule, ...rows].map(line).join("\n");
}
