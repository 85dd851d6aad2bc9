import { RetryingGateway } from "../e2e/retrying-gateway";
import { inTurn } from "./endpoints";
import { GATEWAY_TOKEN } from "./servers";

/** What the load needs of an account. */
export interface SoakAccount {
  /** Its default key. */
  owner: string;
  /** Values of keys whose limits are never reached. */
  keys: readonly string[];
  /** Values of keys whose budget is soon reached. */
  tight: readonly string[];
}

const CLIENTS = 16;
/** A 500 is the answer to the creation of a key while the database is away (docs/api.md). */
const NOT_CREATED = 500;

/**
 * What a busy day has, over a connection for each request: mostly calls that are captured, and some of everything else. A
 * request is repeated when its connection breaks, and when the answer is 503.
 */
export class SoakLoad {
  readonly gateway: RetryingGateway;
  /** Ids of the keys whose creation was answered 201. */
  readonly created = new Set<string>();
  /** Answers that should not be, in words. */
  readonly faults: string[] = [];
  requests = 0;
  #isOver = false;
  #clients: Promise<unknown> = Promise.resolve();

  /** @param isAway whether the database is away at this moment, or was a moment ago. */
  constructor(
    private readonly url: string,
    private readonly account: SoakAccount,
    private readonly isAway: () => boolean,
  ) {
    this.gateway = new RetryingGateway(url, GATEWAY_TOKEN);
  }

  begin(): void {
    const next = inTurn(this.account.keys);
    const nextTight = inTurn(this.account.tight);
    this.#clients = Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let turn = client; !this.#isOver; turn++) await this.#take(turn, next, nextTight);
      }),
    );
  }

  /** Lets what is under way come to its end. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#clients;
    this.faults.push(...this.gateway.unexpected);
  }

  async #take(turn: number, next: () => string, nextTight: () => string): Promise<void> {
    await this.gateway.spend(next(), 1);
    this.requests += 2;
    if (turn % 4 === 0) await this.gateway.spend(nextTight(), 1);
    if (turn % 8 === 1) await this.gateway.spend(next(), 1, "void");
    if (turn % 8 === 2)
      await this.#ask("POST", "/v1/authorizations/check", 200, { apikey: next(), amount: 1 }, GATEWAY_TOKEN);
    if (turn % 32 === 3) await this.#createKey();
    if (turn % 32 === 7) await this.#ask("GET", "/v1/apikeys?page_size=20&sort=name", 200);
    if (turn % 32 === 11) await this.#ask("POST", `/v1/apikeys/${next().slice(0, 10)}/budget`, 200, { budget: 1e9 });
    if (turn % 64 === 15) await this.#ask("GET", "/v1/history?page_size=20", 200);
    if (turn % 64 === 19) await this.#ask("GET", `/v1/usage?by=key&${DAYS}`, 200);
    if (turn % 128 === 23) await this.#ask("GET", "/v1/apikeys/export", 200);
    if (turn % 64 === 27) await this.#ask("GET", "/sign-in", 200);
  }

  async #createKey(): Promise<void> {
    const body = { name: "production", budget: 1000 };
    const { status, body: made } = await this.gateway.send("POST", "/v1/apikeys", body, this.account.owner);
    this.requests++;
    if (status === 201) this.created.add(made.apikey.slice(0, 10));
    else if (!(status === NOT_CREATED && this.isAway())) this.#fault("create a key", status, made);
  }

  async #ask(method: string, path: string, expected: number, body?: object, token = this.account.owner): Promise<void> {
    const answer = await this.gateway.send(method, path, body, token);
    this.requests++;
    if (answer.status !== expected) this.#fault(`${method} ${path}`, answer.status, answer.body);
  }

  #fault(what: string, status: number, body: unknown): void {
    this.faults.push(`${what} at ${this.url}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
  }
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = `from=${dayOf(Date.now() - 7 * DAY_MS)}&to=${dayOf(Date.now() + DAY_MS)}`;
