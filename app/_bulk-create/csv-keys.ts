import { LIMIT_NAMES, type LimitName } from "@/server/limits/schema";

/** One line of the table: its cells as they were typed, without white space around. An empty cell is left out. */
export interface CsvKey {
  name: string;
  group?: string;
  limits: Partial<Record<LimitName, string>>;
  hasMoreCells: boolean;
}

/** What can be wrong with the whole table. Each has its sentence in the messages. */
export type CsvFault = "noName" | "twice" | "noRow" | "openQuote";

export interface CsvTable {
  keys: CsvKey[];
  fault: CsvFault | undefined;
  /** Columns that nothing is made of. */
  ignored: string[];
}

/** The columns, of which only the name is needed. */
export const CSV_COLUMNS = [
  "name",
  "group",
  "budget",
  "daily_limit",
  "monthly_limit",
  "expiry_date",
  "input_price_limit",
  "output_price_limit",
] as const satisfies ("name" | "group" | LimitName)[];

/** Reads keys from CSV with a head. The separator is a comma, a semicolon or a tab, whichever the head has. */
export async function readCsv(text: string): Promise<CsvTable> {
  // Most dialogs never need it.
  const { default: papa } = await import("papaparse");
  const { data, errors } = papa.parse<string[]>(text.replace(/^\uFEFF/, ""), {
    skipEmptyLines: "greedy",
    delimitersToGuess: [",", ";", "\t"],
  });
  const [head = [], ...lines] = data;
  const columns = head.map((cell) => cell.trim().toLowerCase());
  const places = new Map(columns.map((column, place) => [column, place]));
  const known: readonly string[] = CSV_COLUMNS;
  const ignored = columns.filter((column) => column !== "" && !known.includes(column));
  const fail = (fault: CsvFault): CsvTable => ({ keys: [], fault, ignored });
  if (errors.some(({ type }) => type === "Quotes")) return fail("openQuote");
  if (!places.has("name")) return fail("noName");
  if (known.some((column) => columns.indexOf(column) !== columns.lastIndexOf(column))) return fail("twice");
  if (lines.length === 0) return fail("noRow");
  const keys = lines.map((cells) => {
    const cell = (column: string) => cells[places.get(column) ?? -1]?.trim() ?? "";
    const group = cell("group");
    return {
      name: cell("name"),
      ...(group !== "" && { group }),
      limits: Object.fromEntries(
        LIMIT_NAMES.map((name) => [name, cell(name)] as const).filter(([, value]) => value !== ""),
      ),
      hasMoreCells: cells.slice(columns.length).some((extra) => extra.trim() !== ""),
    };
  });
  return { keys, fault: undefined, ignored };
}

/** The text of a file: UTF-8, or else GB 18030, in which spreadsheets in China write CSV. */
export function textOfFile(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}
