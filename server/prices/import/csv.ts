import papa from "papaparse";
import type { core } from "zod";
import type { Units } from "@/server/limits/units";
import { numberOf } from "@/server/underflow";
import { readDecimal, readWholeNumber } from "../decimal-text";
import { identityOf, type Tariff } from "../tariff";
import {
  checkDraft,
  type DraftPrice,
  faultAt,
  type ImportDefaults,
  MOST_ENTRIES,
  type ReadFile,
  tooManyEntries,
} from "./draft";

const REQUIRED = ["name", "input_price", "output_price"] as const;
const OPTIONAL = ["cached_input_price", "currency", "rate", "max_output_tokens", "valid_from", "aliases"] as const;
const COLUMNS: readonly string[] = [...REQUIRED, ...OPTIONAL];

type Column = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number];
type Cells = Readonly<Partial<Record<Column, string>>>;

/** What may separate the columns. None of them stands in the name of a column. */
const DELIMITERS = [",", "\t", ";"];
const MAX_FAULTS = 20;
const TOO_SMALL = "is too small: it would round to 0";

/**
 * Reads prices from CSV (RFC 4180) with a line of columns: `name`, `input_price` and `output_price`, and any of
 * `cached_input_price`, `currency`, `rate`, `max_output_tokens`, `valid_from` and `aliases`, which semicolons separate. Prices
 * are those of a million tokens. The first faults are named with their lines, and nothing is read then.
 */
export function readCsv(content: string, defaults: ImportDefaults): ReadFile {
  const text = content.replace(/^\uFEFF/, "");
  // Behind the last line, an empty one may begin.
  const mostLines = MOST_ENTRIES + 1;
  const { data, errors } = papa.parse<string[]>(text, { delimiter: delimiterOf(text), preview: mostLines + 1 });
  if (data.length > mostLines) return tooManyEntries("lines");
  const [head = [], ...lines] = data;
  const quote = errors.find(({ type }) => type === "Quotes");
  if (quote) {
    const where = `line ${linesOf([text.slice(0, quote.index)])}`;
    const sentence = "has a cell in quotation marks that is not closed, or has a single one inside";
    return { ok: false, issues: [faultAt([where], "open_quote", sentence)] };
  }
  const columns = columnsIn(head);
  const wrong = faultOfColumns(columns);
  if (wrong) return { ok: false, issues: [wrong] };

  const named = [...columns.entries()].filter(([, column]) => column !== "");
  const issues: core.$ZodIssue[] = [];
  const tariffs = new Map<string, Tariff>();
  const placeOf = new Map<string, number>();
  // The line of columns is the first. A cell in quotation marks may go on over several lines.
  let next = 1 + linesOf(head);
  for (const line of lines) {
    const place = next;
    next += linesOf(line);
    if (line.every((cell) => cell.trim() === "")) continue;
    if (issues.length >= MAX_FAULTS) break;
    const cells = Object.fromEntries(named.map(([i, column]) => [column, (line[i] ?? "").trim()])) as Cells;
    const where = `line ${place}${cells.name ? ` (${cells.name.slice(0, 50)})` : ""}`;
    if (line.slice(columns.length).some((cell) => cell.trim() !== "")) {
      issues.push(faultAt([where], "more_cells", "has more cells than there are columns"));
      continue;
    }
    const read = readLine(cells, where, defaults);
    if (!read.ok) issues.push(...read.issues);
    else {
      const identity = identityOf(read.tariff);
      const first = placeOf.get(identity);
      const twice = `has the name and the first day of line ${first}`;
      if (first !== undefined) issues.push(faultAt([where], "same_price_twice", twice, { first }));
      placeOf.set(identity, place);
      tariffs.set(identity, read.tariff);
    }
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, tariffs: [...tariffs.values()], skipped: [] };
}

/**
 * How many lines of the file some cells take that stand in one row. Where the line of columns ends with a line feed alone, the
 * carriage return of another line is at the end of its last cell.
 */
function linesOf(cells: readonly string[]): number {
  const last = cells.at(-1)?.replace(/\r$/, "") ?? "";
  return 1 + [...cells.slice(0, -1), last].reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

/** Spreadsheets leave empty columns behind the last one. */
function columnsIn(head: readonly string[]): string[] {
  const last = head.findLastIndex((cell) => cell.trim() !== "");
  return head.slice(0, last + 1).map((cell) => cell.trim().toLowerCase());
}

/** The line of columns tells it, because aliases have semicolons between them in the other lines. */
function delimiterOf(text: string): string {
  const [columns = ""] = /^.*/.exec(text) ?? [];
  return DELIMITERS.find((delimiter) => columns.includes(delimiter)) ?? ",";
}

function faultOfColumns(columns: readonly string[]): core.$ZodIssue | undefined {
  const names = { names: COLUMNS.join(", ") };
  const missing = REQUIRED.find((column) => !columns.includes(column));
  const named = columns.filter((column) => column !== "");
  const unknown = named.find((column, i) => !COLUMNS.includes(column) || named.indexOf(column) !== i);
  if (missing !== undefined)
    return faultAt(["line 1"], "column_missing", `has no column ${missing}`, { name: missing });
  if (unknown === undefined) return undefined;
  const sentence = `has a column that is unknown or stands twice; the columns are ${names.names}`;
  return faultAt(["line 1"], "column_unknown", sentence, names);
}

function readLine(
  cells: Cells,
  where: string,
  defaults: ImportDefaults,
): { ok: true; tariff: Tariff } | { ok: false; issues: core.$ZodIssue[] } {
  const issues: core.$ZodIssue[] = [];
  const decimal = (column: Column): Units | undefined => {
    const text = cells[column] ?? "";
    if (text === "") return undefined;
    const read = readDecimal(text);
    if (read === undefined) issues.push(unreadable(where, column, text));
    else if (read === 0n && numberOf(text) > 0) issues.push(faultAt([where, column], "rounds_to_zero", TOO_SMALL));
    return read;
  };
  const required = (column: Column): Units => {
    if ((cells[column] ?? "") === "") issues.push(faultAt([where, column], "empty", "must not be empty"));
    return decimal(column) ?? 0n;
  };
  const wholeNumber = (column: Column): number | null => {
    const text = cells[column] ?? "";
    if (text === "") return null;
    const read = readWholeNumber(text);
    if (read === undefined) issues.push(faultAt([where, column], "not_whole", "must be a whole number"));
    return read ?? null;
  };
  const currency = cells.currency?.toUpperCase() || defaults.currency;
  const draft: DraftPrice = {
    name: cells.name ?? "",
    aliases: (cells.aliases ?? "")
      .split(";")
      .map((alias) => alias.trim())
      .filter((alias) => alias !== ""),
    currency,
    rate: decimal("rate") ?? (currency === defaults.currency ? rateOf(defaults) : undefined),
    inputPrice: required("input_price"),
    outputPrice: required("output_price"),
    cachedInputPrice: decimal("cached_input_price") ?? null,
    maxOutputTokens: wholeNumber("max_output_tokens"),
    validFrom: cells.valid_from || defaults.validFrom,
  };
  if (issues.length > 0) return { ok: false, issues };
  const checked = checkDraft(draft);
  if (checked.ok) return checked;
  return {
    ok: false,
    issues: checked.issues.map((issue) => ({ ...issue, path: ["content", where, ...issue.path] }) as core.$ZodIssue),
  };
}

function rateOf({ rate }: ImportDefaults): Units | undefined {
  return rate === undefined ? undefined : readDecimal(String(rate));
}

/** The fault of a cell that is no price. Whether it is a number below 0 makes other words in the dashboard. */
function unreadable(where: string, column: Column, text: string): core.$ZodIssue {
  const sentence = "must be a number of 0 or more, for example 2.5";
  if (numberOf(text) < 0) return faultAt([where, column], "too_small", sentence, { least: 0 });
  return faultAt([where, column], "wrong_type", sentence, { type: "number" });
}
