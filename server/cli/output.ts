/** What a command has to say, by name. Never `undefined`. */
export type Facts = Record<string, unknown>;

/**
 * Prints what a command has found. A program gets one line of JSON for each thing; a person at a terminal gets words, unless
 * they ask for JSON.
 */
export class Output {
  constructor(readonly isForPeople: boolean) {}

  /** Prints the facts of one thing. */
  facts(facts: Facts): void {
    this.#write(this.isForPeople ? asWords(facts) : JSON.stringify(facts));
  }

  /** Prints things of the same kind. A person gets a table. */
  rows(rows: readonly Facts[]): void {
    if (this.isForPeople) this.#write(rows.length === 0 ? "none" : asTable(rows));
    else for (const row of rows) this.#write(JSON.stringify(row));
  }

  /** Prints a sentence that only a person needs. */
  remark(sentence: string): void {
    if (this.isForPeople) this.#write(sentence);
  }

  #write(text: string): void {
    process.stdout.write(`${text}\n`);
  }
}

/** One line for each fact, with its name in front. */
export function asWords(facts: Facts): string {
  const names = Object.keys(facts);
  const width = Math.max(...names.map(({ length }) => length));
  return names.map((name) => `${wordsOf(name).padEnd(width)}  ${asText(facts[name], name)}`).join("\n");
}

/** A table with the names of the first row as its head. */
export function asTable(rows: readonly Facts[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names.map(wordsOf), ...rows.map((row) => names.map((name) => asText(row[name], name)))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function wordsOf(name: string): string {
  return name.replaceAll("_", " ");
}

/** Times of the API are seconds since 1970, which nobody reads. */
const TIME = /_(at|until)$/;

function asText(value: unknown, name = ""): string {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((each) => asText(each)).join(", ");
  if (typeof value === "number" && TIME.test(name)) return new Date(value * 1000).toISOString();
  return value instanceof Object ? JSON.stringify(value) : String(value);
}
