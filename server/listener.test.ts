import { once } from "node:events";
import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Listener, listen } from "./listener";
import { Readiness } from "./readiness";

const log = pino({ level: "silent" });
let listener: Listener;
beforeAll(async () => {
  const limits = { headersTimeout: 500, requestTimeout: 1_000, restTimeout: 100 };
  const never = new Promise<never>(() => {});
  listener = await listen(0, "127.0.0.1", never, new Readiness(), log, limits);
});
afterAll(() => listener.stop(0));

const answerEmpty: RequestListener = (_, response) => void response.end();

/** Sends the beginning of a request, and returns the answer when the server has closed the connection. */
async function send(beginning: string): Promise<string> {
  const socket = connect(listener.port, "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes;
  });
  socket.write(beginning);
  await once(socket, "close");
  return answer;
}

// The default of Node.js, to look every 30 s, would be too late for these tests.
test.each([
  ["headers", "POST /v1/apikeys HTTP/1.1\r\nHost: x\r\n"],
  ["a body", "POST /v1/apikeys HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"],
])(
  "%s that arrive too slowly: 408 at the time configured",
  async (_, beginning) => {
    const answer = await send(beginning);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"success":false');
  },
  15_000,
);

test("a request for a tunnel is refused: 400", async () => {
  const answer = await send("CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('{"success":false,"error":"the request is not valid HTTP"}');
});

test.each(["", "?from=balancer"])(
  "before the service is there, probes are answered: alive, and not ready, with %j behind the path",
  async (query) => {
    const at = `http://127.0.0.1:${listener.port}`;
    const signal = AbortSignal.timeout(10_000);
    expect((await fetch(`${at}/healthz${query}`, { signal })).status).toBe(200);
    const response = await fetch(`${at}/readyz${query}`, { signal });
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: "not ready", cause: "starting", message: "the process is starting" },
    ]);
  },
);

test("stop: a request that is on its way over an open connection is answered, and the answer ends the connection", async () => {
  const handlers = Promise.resolve({ handle: answerEmpty, handleFast: () => {}, takesGet: () => false });
  const stopping = await listen(0, "127.0.0.1", handlers, new Readiness(), log);
  const endings: string[] = [];
  const connected = new Set<Agent>();
  const callUntilTheEnd = async () => {
    const agent = new Agent({ keepAlive: true });
    for (let isOpen = true; isOpen; ) {
      const sent = request({ host: "127.0.0.1", port: stopping.port, agent }).end();
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      await once(answer.resume(), "end");
      connected.add(agent);
      isOpen = answer.headers.connection !== "close";
    }
    endings.push("told");
  };
  const calling = Array.from({ length: 50 }, () => callUntilTheEnd().catch(({ code }) => endings.push(code)));
  await expect.poll(() => connected.size).toBe(calling.length);
  await stopping.stop(10_000);
  await Promise.all(calling);
  expect(endings).toEqual(Array(50).fill("told"));
});

test("stop: connections that wait to be accepted are answered too", async () => {
  const handlers = Promise.resolve({ handle: answerEmpty, handleFast: () => {}, takesGet: () => false });
  const stopping = await listen(0, "127.0.0.1", handlers, new Readiness(), log);
  const sockets = Array.from({ length: 50 }, () => connect(stopping.port, "127.0.0.1"));
  const answers = sockets.map(
    (socket) =>
      new Promise<string>((resolve) => {
        let answer = "";
        socket.on("data", (bytes) => (answer += bytes));
        socket.once("error", ({ message }) => resolve(message));
        socket.once("close", () => resolve(answer));
      }),
  );
  // The system has taken all of them now, and the process has accepted a few.
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const stopped = stopping.stop(10_000);
  for (const socket of sockets) socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await stopped;
  for (const answer of await Promise.all(answers))
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/s);
});

describe("a connection of node:http", () => {
  /** The answers that are not sent yet. */
  let held: ServerResponse[];
  let serving: Listener;
  let socket: Socket;
  let received: Promise<string>;
  beforeEach(async () => {
    held = [];
    const hold: RequestListener = (_, response) => void held.push(response);
    const handlers = Promise.resolve({ handle: hold, handleFast: () => {}, takesGet: () => false });
    serving = await listen(0, "127.0.0.1", handlers, new Readiness(), log);
    socket = connect({ port: serving.port, host: "127.0.0.1", allowHalfOpen: true });
    received = text(socket);
  });
  afterEach(() => serving.stop(0));

  const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  const BROKEN_BODY = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n";
  const GARBAGE = "garbage\r\n\r\n";

  /** Sends requests, then something malformed, and waits until the server has seen both. */
  async function sendMalformed(requests: string, count: number, malformed: string): Promise<void> {
    socket.write(requests);
    await expect.poll(() => held.length).toBe(count);
    const seen = once(serving.server, "clientError");
    socket.write(malformed);
    await seen;
  }

  test("garbage behind requests is answered after them", async () => {
    await sendMalformed(GET + GET, 2, GARBAGE);
    held[1]?.end("second;");
    held[0]?.end("first;");
    expect(await received).toMatch(/^HTTP.*first;HTTP.*second;HTTP\/1\.1 400 .*\r\nConnection: close\r\n.*}$/s);
  });

  test("garbage in the middle of an answer is answered after it", async () => {
    socket.write(GET);
    await expect.poll(() => held.length).toBe(1);
    held[0]?.write("begun;");
    await sendMalformed("", 1, GARBAGE);
    await sendMalformed("", 1, GARBAGE);
    held[0]?.end("ended;");
    expect(await received).toMatch(/begun;\r\n6\r\nended;\r\n0\r\n\r\nHTTP\/1\.1 400 /);
  });

  test("a malformed body is answered after the requests before it, and does not wait for its own request", async () => {
    await sendMalformed(GET, 1, BROKEN_BODY);
    held[0]?.end("first;");
    expect(await received).toMatch(/^HTTP.*first;HTTP\/1\.1 400 .*}$/s);
  });

  test("a malformed body of a request that has its answer: the end", async () => {
    const half = BROKEN_BODY.indexOf("no length");
    socket.write(BROKEN_BODY.slice(0, half));
    await expect.poll(() => held.length).toBe(1);
    held[0]?.end("early;");
    await once(held[0] as ServerResponse, "close");
    socket.write(BROKEN_BODY.slice(half));
    expect(await received).toMatch(/^HTTP[^;]*early;$/);
  });

  test("bytes behind the last request: its answer, and the end", async () => {
    await sendMalformed("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 1, GET);
    held[0]?.end("last;");
    expect(await received).toMatch(/^HTTP[^;]*last;$/);
  });

  test("a client that sends nothing more gets all answers, and the end", async () => {
    socket.end(GET + GET);
    await expect.poll(() => held.length).toBe(2);
    held[0]?.end("first;");
    held[1]?.end("second;");
    expect(await received).toMatch(/^HTTP.*first;HTTP.*second;$/s);
  });

  test("a client that sends nothing more after its answer gets the end", async () => {
    serving.server.keepAliveTimeout = 3_600_000;
    socket.write(GET);
    await expect.poll(() => held.length).toBe(1);
    held[0]?.end("answer;");
    await once(held[0] as ServerResponse, "close");
    socket.end();
    expect(await received).toMatch(/answer;$/);
  });

  test("stop: a client that sends nothing more gets its answer", async () => {
    socket.end(GET);
    await expect.poll(() => held.length).toBe(1);
    const stopped = serving.stop(60_000);
    held[0]?.end("answer;");
    expect(await received).toMatch(/answer;$/);
    await stopped;
  });
});
