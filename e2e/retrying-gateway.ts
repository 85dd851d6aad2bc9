import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** An answer, or `undefined` where the connection broke. */
export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whoever asks knows the shape.
  body: any;
}

const PAUSE_MS = 20;
/** Longer than a statement may take. */
const LONGEST_MS = 60_000;

/**
 * A gateway as it should be: it sends a request again when its connection breaks, or when the answer is 503, and with the same
 * `request_id`. It remembers what was acknowledged.
 */
export class RetryingGateway {
  /** Amount of each capture that was answered 200, by the id of the authorization. */
  readonly captured = new Map<string, number>();
  /** Ids of the authorizations whose void was answered 200. */
  readonly voided = new Set<string>();
  /** How many authorizations were refused. */
  refused = 0;
  /** How many connections broke. */
  broken = 0;
  /** How many answers were 503. */
  unavailable = 0;
  /** Answers that a gateway does not expect, in words. */
  readonly unexpected: string[] = [];

  constructor(
    /** Address of the service. It may be changed. */
    public url: string,
    private readonly token: string,
  ) {}

  /** Authorizes a call of a key and captures it, or voids it. */
  async spend(apikey: string, amount: number, end: "capture" | "void" = "capture"): Promise<void> {
    const asked = { apikey, amount, request_id: randomUUID() };
    const held = await this.send("POST", "/v1/authorizations", asked);
    if (held.status !== 200) return this.#note("authorize", held);
    if (!held.body.allowed) {
      this.refused++;
      return;
    }
    const id: string = held.body.authorization_id;
    const ended = await this.send("POST", `/v1/authorizations/${id}/${end}`, end === "capture" ? { amount } : {});
    if (ended.status !== 200) return this.#note(end, ended);
    if (end === "capture") this.captured.set(id, amount);
    else this.voided.add(id);
  }

  /** Sends a request until there is an answer other than 503. */
  async send(method: string, path: string, body?: object, token = this.token): Promise<Reply> {
    for (;;) {
      const reply = await sendOnce(this.url + path, method, token, body);
      if (reply !== undefined && reply.status !== 503) return reply;
      if (reply === undefined) this.broken++;
      else this.unavailable++;
      await delay(PAUSE_MS);
    }
  }

  #note(what: string, { status, body }: Reply): void {
    this.unexpected.push(`${what}: ${status} ${JSON.stringify(body)}`);
  }
}

/** Sends one request over a connection of its own. */
function sendOnce(url: string, method: string, token: string, body?: object): Promise<Reply | undefined> {
  const text = body === undefined ? "" : JSON.stringify(body);
  return new Promise((resolve) => {
    const sent = request(url, {
      method,
      agent: false,
      timeout: LONGEST_MS,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      },
    });
    sent.once("timeout", () => sent.destroy());
    sent.once("error", () => resolve(undefined));
    sent.once("response", (response) => {
      let received = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (received += chunk));
      response.once("error", () => resolve(undefined));
      response.once("end", () => {
        const isJson = response.headers["content-type"]?.startsWith("application/json");
        resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(received) : received });
      });
    });
    sent.end(text);
  });
}
