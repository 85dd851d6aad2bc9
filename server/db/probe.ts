import { Client } from "pg";

const CONNECT_WITHIN_MS = 3_000;
const ANSWER_WITHIN_MS = 5_000;

/** Asks the database one statement again and again, on a connection of its own. */
export class Probe {
  #client: Client | undefined;
  #running: Promise<unknown[]> | undefined;
  #isStale = false;

  constructor(private readonly url: string) {}

  /**
   * Runs a statement, and returns the rows of its last part. While one is under way, everybody gets the answer of that one.
   * @throws what `pg` throws. The next run makes a new connection then.
   */
  run<Row>(text: string): Promise<Row[]> {
    this.#running ??= this.#ask(text).finally(() => {
      this.#running = undefined;
    });
    return this.#running as Promise<Row[]>;
  }

  /** The next run makes a new connection: one that is there may still find what a new one would not. */
  renew(): void {
    this.#isStale = true;
  }

  async close(): Promise<void> {
    await this.#end();
  }

  async #ask(text: string): Promise<unknown[]> {
    try {
      if (this.#isStale) await this.#end();
      const client = this.#client ?? (await this.#connect());
      const answered = await client.query(text);
      const last = Array.isArray(answered) ? answered.at(-1) : answered;
      return last.rows;
    } catch (error) {
      // It may be in a transaction, or hang.
      void this.#end();
      throw error;
    }
  }

  async #end(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#isStale = false;
    await client?.end().catch(() => {});
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.url,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
      application_name: "allowance readiness",
    });
    client.on("error", () => {
      if (this.#client === client) this.#client = undefined;
    });
    this.#client = client;
    await client.connect();
    return client;
  }
}
