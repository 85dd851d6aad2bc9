import { createHash, type Hash } from "node:crypto";
import { z } from "zod";

// A backup is a text, compressed with gzip. The first line is a header in JSON. Then follows each table: a line of JSON with
// its name and columns, its rows in the text format of COPY, one a line, and a line `\.`. The last line is JSON with the
// number of rows and the SHA-256 of all lines before it. Docs: docs/decisions/backups.md.

/** The file is not a backup, is cut off or was altered, or this version cannot read it. */
export class BackupError extends Error {}

const header = z.object({
  format: z.literal("allowance-backup"),
  version: z.literal(1),
  /** When the snapshot was taken: ISO 8601. */
  made_at: z.string(),
  /** The migrations of the schema that the rows fit, in their order. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** The secret that signs cookies and encrypts second factors. Null: it was not kept in the data folder. */
  auth_secret: z.string().nullable(),
});
export type BackupHeader = z.infer<typeof header>;

const table = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
export type TableHeader = z.infer<typeof table>;

const trailer = z.object({ rows: z.number().int(), sha256: z.string() });

const line = z.union([table, trailer]);

/** The line after the rows of a table. No row looks like it, because COPY writes a backslash as two. */
const END_OF_ROWS = Buffer.from("\\.\n");
const NEW_LINE = 10;

/** Makes the text of a backup, piece by piece. */
export class BackupWriter {
  readonly #hash = createHash("sha256");
  #rows = 0;

  /** The rows that were written so far. */
  get rows(): number {
    return this.#rows;
  }

  header(value: BackupHeader): Buffer {
    return this.#piece(lineOf(value));
  }

  /** Begins a table. Its rows follow, then `endOfTable`. */
  table(value: TableHeader): Buffer {
    return this.#piece(lineOf(value));
  }

  /** Rows as COPY writes them, in pieces of any size. */
  copied(piece: Buffer): Buffer {
    this.#rows += countLines(piece);
    return this.#piece(piece);
  }

  endOfTable(): Buffer {
    return this.#piece(END_OF_ROWS);
  }

  trailer(): Buffer {
    return lineOf({ rows: this.#rows, sha256: this.#hash.digest("hex") });
  }

  #piece(piece: Buffer): Buffer {
    this.#hash.update(piece);
    return piece;
  }
}

/** Reads the text of a backup: the header, then each table with its rows, then `finish`. */
export class BackupReader {
  readonly #source: AsyncIterator<Buffer>;
  readonly #hash: Hash = createHash("sha256");
  #left: Buffer = Buffer.alloc(0);
  #rows = 0;

  /** @param source the text of the backup, in pieces of any size. */
  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  get rows(): number {
    return this.#rows;
  }

  /** @throws {BackupError} when this is no backup, or one of a newer format. */
  async header(): Promise<BackupHeader> {
    const text = await this.#line();
    this.#hash.update(text);
    const value = parse(text);
    const parsed = header.safeParse(value);
    if (parsed.success) return parsed.data;
    const isNewer = z.looseObject({ format: z.literal("allowance-backup") }).safeParse(value).success;
    throw new BackupError(isNewer ? "the backup has a format that this version does not know" : "this is no backup");
  }

  /**
   * The next table. Read its rows before the next call. Undefined: there are no more, and the whole file is as it was written.
   * @throws {BackupError} when the file was cut off or altered.
   */
  async table(): Promise<TableHeader | undefined> {
    const text = await this.#line();
    const parsed = line.safeParse(parse(text));
    if (!parsed.success) throw new BackupError("the backup is damaged: a line of it cannot be read");
    if ("table" in parsed.data) {
      this.#hash.update(text);
      return parsed.data;
    }
    const { rows, sha256 } = parsed.data;
    if (rows !== this.#rows || sha256 !== this.#hash.digest("hex")) {
      throw new BackupError("the backup is damaged: its content does not fit its checksum");
    }
    if (this.#left.length > 0 || (await this.#more()))
      throw new BackupError("the backup is damaged: it goes on after its end");
    return undefined;
  }

  /** The rows of the table as COPY takes them, in pieces of whole lines. */
  async *copied(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#endOfRows();
      if (end !== undefined) {
        if (end > 0) yield this.#take(end);
        this.#hash.update(END_OF_ROWS);
        this.#left = this.#left.subarray(END_OF_ROWS.length);
        return;
      }
      const whole = this.#left.lastIndexOf(NEW_LINE) + 1;
      if (whole > 0) yield this.#take(whole);
      await this.#require();
    }
  }

  #take(length: number): Buffer {
    const piece = this.#left.subarray(0, length);
    this.#left = this.#left.subarray(length);
    this.#hash.update(piece);
    this.#rows += countLines(piece);
    return piece;
  }

  /** Where the line `\.` begins in what is left, which begins with a line. */
  #endOfRows(): number | undefined {
    if (this.#left.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)) return 0;
    const found = this.#left.indexOf(`\n${END_OF_ROWS}`);
    return found < 0 ? undefined : found + 1;
  }

  async #line(): Promise<Buffer> {
    let end = this.#left.indexOf(NEW_LINE);
    for (; end < 0; end = this.#left.indexOf(NEW_LINE)) await this.#require();
    const text = this.#left.subarray(0, end + 1);
    this.#left = this.#left.subarray(end + 1);
    return text;
  }

  async #require(): Promise<void> {
    if (!(await this.#more())) throw new BackupError("the backup is damaged: it ends too early");
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) return false;
    this.#left = this.#left.length === 0 ? value : Buffer.concat([this.#left, value]);
    return true;
  }
}

function lineOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}

function countLines(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(NEW_LINE); at >= 0; at = text.indexOf(NEW_LINE, at + 1)) count++;
  return count;
}
