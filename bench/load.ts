import { connect, type Socket } from "node:net";

/** One request, and the status that its answer must have. */
interface Request {
  /** The request as it goes over the wire. ASCII. */
  text: string;
  status: number;
}

/**
 * What one connection sends: it yields requests, one after the other without an end, and gets the body of each answer.
 * It throws when it does not accept a body.
 */
export type Conversation = Generator<Request, never, string>;

/** What is repeated under load. */
export interface Endpoint {
  title: string;
  /** Begins the conversation of a connection. */
  converse(): Conversation;
}

/** The figures of a load. */
export interface Measurement {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  /** Milliseconds. */
  p99: number;
  /** Milliseconds of the slowest request. */
  longest: number;
}

/** When a load ends: after a time, after a number of requests, or when something else has ended. */
export type Extent = { seconds: number } | { requests: number } | { until: Promise<unknown> };

const CONNECTIONS = 32;
const HEAD_END = "\r\n\r\n";

/** Makes a request. `token` is a key or the token of a gateway. A body is sent as JSON. */
export function requestOf(method: string, path: string, token: string | undefined, body?: object): string {
  const json = body === undefined ? "" : JSON.stringify(body);
  const authorization = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
  const type = body === undefined ? "" : "Content-Type: application/json\r\n";
  const length = method === "GET" ? "" : `Content-Length: ${json.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}${type}${length}\r\n${json}`;
}

/** A conversation that repeats one request. */
export function* repeat(text: string, status: number): Conversation {
  for (;;) yield { text, status };
}

/**
 * Loads a server over 32 connections, each of which sends its next request when it has the answer. It writes to raw
 * sockets and reads no more of an answer than it must, because it shares the processor with what it measures.
 * @throws when a single answer has another status or is not accepted, or a connection fails.
 */
export async function load(url: string, endpoint: Endpoint, extent: Extent): Promise<Measurement> {
  const { hostname, port } = new URL(url);
  const latencies: number[] = [];
  const begun = performance.now();
  const deadline = "seconds" in extent ? begun + extent.seconds * 1000 : Number.POSITIVE_INFINITY;
  const most = "requests" in extent ? extent.requests : Number.POSITIVE_INFINITY;
  let sent = 0;
  let hasEnded = false;
  if ("until" in extent) void Promise.allSettled([extent.until]).then(() => (hasEnded = true));
  const take = () => !hasEnded && performance.now() < deadline && sent++ < most;
  const talks = Array.from({ length: CONNECTIONS }, () =>
    talk(connect({ host: hostname, port: Number(port), noDelay: true }), endpoint.converse(), take, latencies),
  );
  const outcomes = await Promise.allSettled(talks);
  const elapsed = (performance.now() - begun) / 1000;
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") throw new Error(`${endpoint.title} at ${url}: ${outcome.reason}`);
  }
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? 0;
  return {
    requests: latencies.length,
    perSecond: latencies.length / elapsed,
    p50: percentile(0.5),
    p99: percentile(0.99),
    longest: percentile(1),
  };
}

/** Holds the conversation of one connection until `take` says that there is no further request. */
function talk(socket: Socket, conversation: Conversation, take: () => boolean, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let begun = 0;
    let expected = 0;
    let received = "";
    const finish = (error?: unknown) => {
      socket.removeAllListeners("close").destroy();
      if (error === undefined) resolve();
      else reject(error);
    };
    const send = (request: Request) => {
      expected = request.status;
      begun = performance.now();
      socket.write(request.text, "latin1");
    };
    socket.on("data", (chunk: Buffer) => {
      try {
        received += chunk.toString("latin1");
        const body = bodyOf(received, expected);
        if (body === undefined) return;
        latencies.push(performance.now() - begun);
        received = "";
        // The body is given even when it is the last, so that each answer is checked.
        const { value } = conversation.next(body);
        if (take()) send(value);
        else finish();
      } catch (error) {
        finish(error);
      }
    });
    socket.on("error", finish);
    socket.on("close", () => finish(new Error("the server closed the connection")));
    socket.once("connect", () => (take() ? send(conversation.next("").value) : finish()));
  });
}

/**
 * The body of an answer; undefined while a part of the answer is missing.
 * @throws when the status is not the expected one, or the answer does not tell its length.
 */
function bodyOf(received: string, expected: number): string | undefined {
  const end = received.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const status = Number(received.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
  if (status !== expected) throw new Error(`status ${status}, not ${expected}: ${received.slice(end)}`);
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(received) ?? [];
  if (length === undefined) throw new Error("an answer without Content-Length");
  const begin = end + HEAD_END.length;
  return received.length < begin + Number(length) ? undefined : received.slice(begin);
}
