import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";

/** An answer as it came over the wire. */
export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Sends a path as it is written, with no header of its own: `fetch` would tidy the path, and unpack the answer.
 * @param agent whose connections are used; undefined: those that all specs share.
 */
export function sendRaw(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = "",
  agent?: Agent,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent }, async (answer) => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/**
 * Sends requests that take the fast path. It has connections of its own: `fetch` shares its connections with requests of other
 * forms, after which a connection does not take the fast path any more.
 */
export class FastClient {
  readonly #agent = new Agent({ keepAlive: true });

  /** @param body sent as JSON. */
  send(
    url: string,
    method: string,
    path: string,
    key: string,
    { body, headers = {} }: { body?: object | undefined; headers?: Record<string, string> } = {},
  ): Promise<RawAnswer> {
    const type: Record<string, string> = body ? { "content-type": "application/json" } : {};
    const sent = { authorization: `Bearer ${key}`, ...type, ...headers };
    return sendRaw(url, method, path, sent, body ? JSON.stringify(body) : "", this.#agent);
  }

  close(): void {
    this.#agent.destroy();
  }
}
