import { once } from "node:events";
import { Agent, type IncomingMessage, type RequestListener, request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Listener, listen } from "./listener";
import { Readiness } from "./readiness";

let listener: Listener;
beforeAll(async () => {
  const limits = { headersTimeout: 500, requestTimeout: 1_000 };
  const never = new Promise<never>(() => {});
  listener = await listen(0, "127.0.0.1", never, new Readiness(), limits);
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

test("before the service is there, probes are answered: alive, and not ready", async () => {
  const at = `http://127.0.0.1:${listener.port}`;
  expect((await fetch(`${at}/healthz`)).status).toBe(200);
  const response = await fetch(`${at}/readyz`);
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: "not ready", cause: "starting", message: "the process is starting" },
  ]);
});

test("stop: a request that is on its way over an open connection is answered, and the answer ends the connection", async () => {
  const handlers = Promise.resolve({ handle: answerEmpty, handleFast: () => {}, takesGet: () => false });
  const stopping = await listen(0, "127.0.0.1", handlers, new Readiness());
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
  const stopping = await listen(0, "127.0.0.1", handlers, new Readiness());
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
