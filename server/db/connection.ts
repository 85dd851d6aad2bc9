import type { Socket } from "node:net";
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig, type QueryResult } from "pg";
import type { Distribution } from "./distribution";
import { BEGIN, Pipeline } from "./pipeline";

/** How all connections of a process send statements and settings. It may change until the first of them is made. */
export interface Speech {
  /** Whether statements may have a name, which PostgreSQL keeps for the connection. */
  usesNames: boolean;
  /** Whether a pooler gives each transaction another PostgreSQL process, so that `SET` holds for one transaction at most. */
  isShared: boolean;
}

/** A setting of PostgreSQL and its value, as SQL. */
export type Settings = Readonly<Record<string, string>>;

interface ConnectionConfig extends ClientConfig {
  speech: Speech;
  distribution: Distribution;
  settings: Settings;
}

/**
 * What each connection sets, whatever the database or the role is set to. `pg` and the code read days and times in ISO 8601
 * alone, amounts come back with all their digits, and a backup is read by another database. A list may have values that are not
 * set. Transactions wait for each other and then see what the other has written. On a stricter level PostgreSQL would refuse
 * them, or show them what was before.
 */
export const COMMON: Settings = {
  datestyle: "ISO",
  extra_float_digits: "1",
  default_transaction_isolation: "'read committed'",
  array_nulls: "on",
};

/** A distributed database finds the server by the values, so it plans each execution. */
const PLANNING_EACH: Settings = { plan_cache_mode: "force_custom_plan" };

/** The statements that set them, for the connection or for the transaction. */
export function settingAll(command: "SET" | "SET LOCAL", settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${command} ${name} = ${value}`)
    .join("; ");
}

type Callback = (error: Error | undefined, result?: QueryResult) => void;
type Config = { text: string; name?: string | undefined };

/**
 * A connection with settings that hold for each of its statements. They are no parameters of the connection, because poolers
 * refuse those. On a connection of its own they are set once. On a shared one they are set in each transaction, and a
 * statement outside of a transaction gets one.
 */
class Connection extends Client {
  readonly #speech: Speech;
  readonly #distribution: Distribution;
  #settings: Settings;
  #isInTransaction = false;

  constructor(config: ConnectionConfig) {
    // In pipeline mode `pg` closes a connection whose answer did not come in time. Otherwise the next statement, for
    // example ROLLBACK, would wait as long again.
    super({ ...config, pipeline: true } as ClientConfig);
    this.#speech = config.speech;
    this.#distribution = config.distribution;
    this.#settings = config.settings;
  }

  /** Sets what holds until the connection ends. */
  async prepare(): Promise<void> {
    if (await this.#distribution.learn(this)) this.#settings = { ...this.#settings, ...PLANNING_EACH };
    if (this.#speech.isShared) return;
    await super.query({ text: settingAll("SET", this.#settings), query_timeout: ANSWER_WITHIN_MS } as Config);
  }

  // The overloads of `pg` are not repeated here.
  // biome-ignore lint/suspicious/noExplicitAny: it takes whatever `pg` takes.
  override query(...given: any[]): any {
    if (this.#speech.usesNames && !this.#speech.isShared) return Reflect.apply(super.query, this, given);
    const [config, ...rest] = given;
    if (config instanceof Pipeline) return void this.#sendEach(config, rest[0]);
    const callback = rest.findIndex((each) => typeof each === "function");
    if (callback >= 0) {
      const answer = rest[callback] as Callback;
      this.query(config, ...rest.slice(0, callback)).then(
        (result: QueryResult) => answer(undefined, result),
        (error: Error) => answer(error),
      );
      return undefined;
    }
    const query = this.#speech.usesNames || typeof config === "string" ? config : { ...config, name: undefined };
    return this.#speech.isShared ? this.#queryShared(query, rest) : super.query(query, ...rest);
  }

  /**
   * Behind a pooler each statement ends with a Sync of its own, as all others do, but they are sent together. Only BEGIN goes
   * first: without it, each of the others would be a transaction of its own.
   */
  async #sendEach({ statements, results }: Pipeline, answer: (error?: unknown) => void): Promise<void> {
    const [first, ...others] = statements;
    const isBegin = first === BEGIN;
    try {
      // BEGIN sends settings with it, and has several results, none of them with rows.
      if (isBegin) results.push((await this.query(first)).rows ?? []);
      const { stream } = wireOf(this);
      stream.cork();
      const answers = (isBegin ? others : statements).map((each): Promise<QueryResult> => this.query(each));
      stream.uncork();
      await Promise.allSettled(answers);
      for (const { rows = [] } of await Promise.all(answers)) results.push(rows);
      answer();
    } catch (error) {
      answer(error);
    }
  }

  #queryShared(config: string | Config, rest: unknown[]): Promise<QueryResult> {
    const text = typeof config === "string" ? config : config.text;
    const send = super.query.bind(this) as (config: unknown, ...rest: unknown[]) => Promise<QueryResult>;
    if (/^\s*BEGIN\b/i.test(text)) {
      this.#isInTransaction = true;
      return send(`${text}; ${settingAll("SET LOCAL", this.#settings)}`);
    }
    if (/^\s*(COMMIT|ROLLBACK)\s*;?\s*$/i.test(text)) this.#isInTransaction = false;
    else if (!this.#isInTransaction) return this.#inTransaction(send, config, rest);
    return send(config, ...rest);
  }

  async #inTransaction(
    send: (config: unknown, ...rest: unknown[]) => Promise<QueryResult>,
    config: string | Config,
    rest: unknown[],
  ): Promise<QueryResult> {
    const answers = [
      send(`BEGIN; ${settingAll("SET LOCAL", this.#settings)}`),
      send(config, ...rest),
      send("COMMIT"),
    ] as const;
    await Promise.allSettled(answers);
    const [, result] = await Promise.all(answers);
    return result;
  }
}

const ANSWER_WITHIN_MS = 3_000;

/** What a pool tells about itself when no connection became free in time. */
export interface Exhaustion {
  /** The name of the pool. */
  pool: string;
  /** How many connections it has, and how many it may have. */
  connections: number;
  most: number;
  /** How many calls wait for one. */
  waiting: number;
}

export interface ConnectionPoolOptions extends PoolConfig {
  name: string;
  speech: Speech;
  distribution: Distribution;
  settings: Settings;
}

/** A pool whose connections can be watched and cut. */
export class ConnectionPool extends Pool {
  /** Returns why no connection may be used now. Until it is set, any may be. */
  refusal: () => Error | undefined = () => undefined;
  /** Called when no connection became free in time. */
  onExhausted: (exhaustion: Exhaustion) => void = () => {};
  /** Called with the SQLSTATE of each error that PostgreSQL reports, and the code of each connection that cannot be made. */
  onError: (code: string) => void = () => {};
  /** What it is for, in the log and in the metrics. */
  readonly name: string;
  readonly #connections = new Map<PoolClient, { bytes: number }>();

  constructor({ name, ...options }: ConnectionPoolOptions) {
    super({
      ...options,
      Client: Connection,
      onConnect: (client: Connection) => client.prepare(),
    } as unknown as PoolConfig);
    this.name = name;
    // The pool drops an idle connection that breaks. Without this listener, the error would end the process.
    this.on("error", () => {});
    this.on("connect", (client) => {
      this.#connections.set(client, { bytes: 0 });
      // While it is used, its statements fail. Without this listener, an error would also be one that nobody has caught.
      client.on("error", () => {});
      wireOf(client).on("errorMessage", ({ code }: { code?: string }) => this.onError(code ?? ""));
    });
    this.on("remove", (client) => this.#connections.delete(client));
  }

  // biome-ignore lint/suspicious/noExplicitAny: with a callback, as `Pool.query` calls it, or without one.
  override connect(callback?: any): any {
    const refusal = this.refusal();
    if (refusal && callback) return callback(refusal);
    if (refusal) return Promise.reject(refusal);
    if (callback) {
      return super.connect((error, client, release) => {
        if (error) this.#note(error);
        callback(error, client, release);
      });
    }
    return super.connect().catch((error: Error) => {
      this.#note(error);
      throw error;
    });
  }

  /** Whether any connection has received something since this was last called. */
  hasReceived(): boolean {
    let has = false;
    for (const [client, known] of this.#connections) {
      const { bytesRead } = wireOf(client).stream;
      has ||= bytesRead > known.bytes;
      known.bytes = bytesRead;
    }
    return has;
  }

  /** Ends all connections at once. What waits for an answer on them fails. */
  cut(): void {
    for (const client of this.#connections.keys()) wireOf(client).stream.destroy();
  }

  #note(error: Error): void {
    // The words of `pg-pool` for a connection that did not become free. A new one that cannot be made has others.
    if (error.message !== "timeout exceeded when trying to connect") {
      this.onError("code" in error ? String(error.code) : "");
      return;
    }
    this.onExhausted({
      pool: this.name,
      connections: this.totalCount,
      most: this.options.max,
      waiting: this.waitingCount,
    });
  }
}

/** The connection of the protocol below a client. */
function wireOf(client: object): NodeJS.EventEmitter & { stream: Socket } {
  return (client as { connection: NodeJS.EventEmitter & { stream: Socket } }).connection;
}
