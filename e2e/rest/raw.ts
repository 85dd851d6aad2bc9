import { type Agent, type IncomingHttpHeaders, request } from "node:http";
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
