import type { Socket } from "node:net";
import { type ClientBase, type Pool, Query, type QueryResultRow, types } from "pg";
import type { Statement } from "./statement";

/** A statement with its values. Without a name, PostgreSQL parses it each time. */
export interface BoundStatement<Row extends QueryResultRow = QueryResultRow> {
  name?: string | undefined;
  text: string;
  /** Each is a text that PostgreSQL reads. */
  values: readonly (string | null)[];
  /** Only for the type of the rows. There is no such property at run time. */
  row?: Row;
}

/** The parts of the protocol that `pg` has for its own queries. */
interface Wire {
  stream: Socket;
  /** The names that PostgreSQL knows on this connection, with their texts. */
  parsedStatements: Record<string, string>;
  /** The same of those that were sent, and PostgreSQL has not said yet that it knows them. */
  submittedNamedStatements: Record<string, string>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly (string | null)[] }): void;
  describe(message: { type: "P"; name: string }): void;
  execute(message: object): void;
  sync(): void;
}

interface RowDescription {
  fields: { name: string; dataTypeID: number }[];
}

/** How the rows of a statement are read. */
interface Columns {
  each: { name: string; parse(text: string): unknown }[];
  /** A row of nulls. A copy of it has all columns at once; a row of 30 that gets one after the other takes twice the time. */
  empty: QueryResultRow;
}

const NO_COLUMNS: Columns = { each: [], empty: {} };

/** What a connection has learnt of the rows of named statements. These cannot change while the connection lasts. */
const columnsOn = new WeakMap<Wire, Map<string, Columns>>();

/**
 * Several statements that are sent in one piece and are answered in one piece. A query of `pg` ends each statement with a
 * Sync, after which PostgreSQL sends what it has: that is a system call on both sides, several writes and about eight
 * promises for each statement. With one Sync at the end, PostgreSQL skips all statements after the first that fails.
 */
export class Pipeline extends Query {
  /** The rows of each statement that was answered. */
  readonly results: QueryResultRow[][] = [];
  /** The name and the text of the statement that PostgreSQL is answering, which `pg` reads. */
  declare name: string | undefined;
  declare text: string;
  declare callback: (error: unknown) => void;
  #rows: QueryResultRow[] = [];
  #columns = NO_COLUMNS;
  #error: unknown;
  #wire: Wire | undefined;
  #known = new Map<string, Columns>();

  /** @param statements at least one. */
  constructor(readonly statements: readonly BoundStatement[]) {
    super("");
    this.submit = (connection) => this.#send(connection as unknown as Wire);
  }

  #send(wire: Wire): void {
    this.#wire = wire;
    this.#known = columnsOn.get(wire) ?? this.#known;
    columnsOn.set(wire, this.#known);
    wire.stream.cork();
    for (const { name = "", text, values } of this.statements) {
      if (!wire.parsedStatements[name] && !wire.submittedNamedStatements[name]) {
        wire.parse({ name, text });
        if (name) wire.submittedNamedStatements[name] = text;
      }
      wire.bind({ statement: name, values });
      if (!this.#known.has(name)) wire.describe({ type: "P", name: "" });
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork();
    this.#begin();
  }

  /** Begins to read the answer to the next statement. */
  #begin(): void {
    const next = this.statements[this.results.length];
    this.name = next?.name;
    this.text = next?.text ?? "";
    this.#rows = [];
    this.#columns = this.#known.get(this.name ?? "") ?? NO_COLUMNS;
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#columns = {
      each: fields.map(({ name, dataTypeID }) => ({ name, parse: types.getTypeParser(dataTypeID) })),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { each, empty } = this.#columns;
    const row = { ...empty };
    try {
      for (const [i, { name, parse }] of each.entries()) {
        const text = fields[i];
        row[name] = text == null ? null : parse(text);
      }
    } catch (error) {
      this.#error ??= error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {
    // Also of a statement without rows, so that PostgreSQL is asked once for what they are.
    if (this.name) this.#known.set(this.name, this.#columns);
    this.results.push(this.#rows);
    this.#begin();
  }

  handleError(error: unknown): void {
    // PostgreSQL has skipped the rest, so it does not know their names.
    for (const { name } of this.statements.slice(this.results.length)) {
      if (name) delete this.#wire?.submittedNamedStatements[name];
    }
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(this.#error);
  }
}

/** A statement with its values. */
export function bound<Row extends QueryResultRow>(
  { name, text }: Statement<Row>,
  values: readonly (string | null)[],
): BoundStatement<Row> {
  return { name, text, values };
}

// Without names: there is nothing to plan, and a pooler need not keep them.
export const BEGIN: BoundStatement<never> = { text: "BEGIN", values: [] };
export const COMMIT: BoundStatement<never> = { text: "COMMIT", values: [] };

type Pipelined = readonly (BoundStatement | undefined)[];

/** The rows of statements, in their order. A statement that is undefined has none. */
export type Rows<Statements extends Pipelined> = {
  -readonly [I in keyof Statements]: NonNullable<Statements[I]> extends BoundStatement<infer Row> ? Row[] : never;
};

/**
 * Sends statements in one piece, and waits for the answer to all. Those that are undefined are left out.
 * @param client must be in pipeline mode, or have nothing under way.
 * @throws the first error. Nothing after that statement was done.
 */
export function sendTogether<const Statements extends Pipelined>(
  client: ClientBase,
  statements: Statements,
): Promise<Rows<Statements>> {
  return new Promise((resolve, reject) => {
    const pipeline = new Pipeline(statements.filter((each) => each !== undefined));
    const query = client.query.bind(client) as (pipeline: Pipeline, callback: (error: unknown) => void) => void;
    query(pipeline, (error) => {
      if (error) return reject(error);
      let answered = 0;
      resolve(statements.map((each) => (each ? pipeline.results[answered++] : [])) as Rows<Statements>);
    });
  });
}

/**
 * Runs one prepared statement on a connection of a pool, and returns its rows. `run` takes values of any kind; this one costs
 * less, because `pg` copies the options of its own queries and asks each time what the columns are.
 * @throws as `runTogetherOnPool` does.
 */
export async function runOnPool<Row extends QueryResultRow>(
  pool: Pool,
  statement: Statement<Row>,
  values: readonly (string | null)[],
): Promise<Row[]> {
  const [rows] = await runTogetherOnPool(pool, [bound(statement, values)]);
  return rows;
}

/**
 * Sends statements in one piece on a connection of a pool, as `sendTogether` does, gives the connection back, and returns the
 * rows of each. Behind a pooler in transaction mode each statement is a transaction of its own, so they may have another `now()`.
 * @throws what PostgreSQL says, or why there is no connection. After an error of a statement its connection is closed, as
 *   `Pool.query` does it.
 */
export async function runTogetherOnPool<const Statements extends Pipelined>(
  pool: Pool,
  statements: Statements,
): Promise<Rows<Statements>> {
  const client = await pool.connect();
  let hasFailed = true;
  try {
    const rows = await sendTogether(client, statements);
    hasFailed = false;
    return rows;
  } catch (error) {
    // The stack of `pg` ends where it reads the socket, and says nothing of the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  } finally {
    client.release(hasFailed);
  }
}
