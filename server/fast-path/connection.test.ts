import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Listener, listen } from "../listener";
import { Readiness } from "../readiness";
import type { FastAnswer } from "./answer";

/** By which way requests came, in their order. */
let ways: string[] = [];
/** Answers of the fast path that are not sent yet. */
let held: FastAnswer[] = [];
let areHeld = false;
/** Sends the answer of Node.js that is held. */
let release = () => {};
let listener: Listener;
/** Refuses connections on which nothing arrives soon. */
let impatient: Listener;

beforeAll(async () => {
  listener = await start(20_000);
  impatient = await start(1_000);
});
beforeEach(() => {
  ways = [];
  held = [];
  areHeld = false;
});
afterAll(() => Promise.all([listener.stop(0), impatient.stop(0)]));

/**
 * A port whose answers say by which way the request came, and how long its body was. `timeout` bounds how slow it may be,
 * `restTimeout` how long the fast path waits for the rest of its body.
 */
function start(timeout: number, restTimeout = timeout): Promise<Listener> {
  const handlers = Promise.resolve({
    handle: async (request: IncomingMessage, response: ServerResponse) => {
      ways.push("node");
      if (areHeld && request.method === "GET" && request.url !== "/")
        await new Promise<void>((done) => (release = done));
      response.end(`node ${(await text(request).catch(() => "")).length};`);
    },
    handleFast: ({ body }: { body: Buffer }, answer: FastAnswer) => {
      ways.push("fast");
      if (areHeld) held.push(answer);
      else reply(answer, `fast ${body.length};`);
    },
    takesGet: (path: string) => path === "/v1/allowance",
  });
  const limits = { headersTimeout: timeout, requestTimeout: timeout, restTimeout };
  return listen(0, "127.0.0.1", handlers, new Readiness(), pino({ level: "silent" }), limits);
}

function reply(answer: FastAnswer, body: string): void {
  answer.writeHead(200, ["Content-Length", String(body.length)]).end(body);
}

async function open(to = listener): Promise<Socket> {
  const socket = connect({ port: to.port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
  await once(socket, "connect");
  return socket;
}

/** Asks something else. When it is answered, what was sent before has arrived. */
async function pass({ port } = listener): Promise<void> {
  await (await fetch(`http://127.0.0.1:${port}/`)).text();
}

const LONG = 3_600_000;

/** Opens a connection whose client is told that it stays open so many milliseconds without a request. */
async function openWith(keepAliveTimeout: number, to = listener): Promise<Socket> {
  const usual = to.server.keepAliveTimeout;
  to.server.keepAliveTimeout = keepAliveTimeout;
  const socket = await open(to);
  await pass(to);
  to.server.keepAliveTimeout = usual;
  return socket;
}

const post = (body: string, length = body.length) =>
  `POST /v1/apikeys HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`;

/** Sends a request whose answer is held, and waits until it has arrived. */
async function holdOn(socket: Socket): Promise<void> {
  areHeld = true;
  socket.write(post("1"));
  await expect.poll(() => held.length).toBe(1);
}

const replyHeld = (body: string) => reply(held[0] as FastAnswer, body);

/** Collects what arrives on a connection. */
function collect(socket: Socket): { text: string } {
  const received = { text: "" };
  socket.on("data", (bytes) => (received.text += bytes));
  return received;
}

/** Sends a request and waits for the answer that contains `answer`. */
async function ask(socket: Socket, received: { text: string }, sent: string, answer: string): Promise<void> {
  received.text = "";
  socket.write(sent);
  await expect.poll(() => received.text).toContain(answer);
}

test("requests take the fast path until one does not fit; from then on Node.js reads all of the connection", async () => {
  const socket = await open();
  const received = collect(socket);
  await ask(socket, received, post("{}"), "fast 2;");
  expect(received.text).toMatch(
    /^HTTP\/1\.1 200 OK\r\nContent-Length: 7\r\nDate: \w{3}, .* GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=150\r\n\r\nfast 2;$/,
  );
  await ask(socket, received, post("[1]"), "fast 3;");
  await ask(socket, received, "GET /v1/allowance HTTP/1.1\r\nHost: x\r\n\r\n", "fast 0;");
  await ask(socket, received, "GET /v1/apikeys HTTP/1.1\r\nHost: x\r\n\r\n", "node 0;");
  await ask(socket, received, post("{}"), "node 2;");
  expect(ways).toEqual(["fast", "fast", "fast", "node", "node"]);
  socket.destroy();
});

test("a body that arrives behind its head, and one that arrives in three pieces", async () => {
  const socket = await open();
  const received = collect(socket);
  const pieces = async (...parts: string[]) => {
    for (const [i, part] of parts.entries()) {
      socket.write(part);
      // Each piece is read by itself: the port was asked something else in between.
      if (i < parts.length - 1) await pass();
    }
  };
  await pieces(post("", 4), "1234");
  await expect.poll(() => received.text).toContain("fast 4;");
  await pieces(post("", 4), "12", "34");
  await expect.poll(() => received.text).toContain("node 4;");
  expect(ways.filter((way) => way === "fast")).toHaveLength(1);
  socket.destroy();
});

test("two requests in one piece are answered in their order", async () => {
  const socket = await open();
  const received = collect(socket);
  socket.write(post("1") + post("22"));
  await expect.poll(() => received.text).toContain("node 2;");
  expect(received.text.indexOf("node 1;")).toBeLessThan(received.text.indexOf("node 2;"));
  socket.destroy();
});

test("what arrives while a request is under way is read after its answer", async () => {
  const socket = await open();
  const received = collect(socket);
  await holdOn(socket);
  socket.write(post("22"));
  await pass();
  expect(ways).toEqual(["fast", "node"]);
  areHeld = false;
  replyHeld("first;");
  await expect.poll(() => received.text).toContain("fast 2;");
  expect(received.text.indexOf("first;")).toBeLessThan(received.text.indexOf("fast 2;"));
  socket.destroy();
});

test("a client that does not take its answers is left to Node.js", async () => {
  const socket = await open();
  socket.pause();
  await holdOn(socket);
  replyHeld("x".repeat(32 * 1024 * 1024));
  socket.write(post("22"));
  await expect.poll(() => ways).toEqual(["fast", "node"]);
  socket.destroy();
});

test("a client that is slow to take its answer gets all of it", async () => {
  const socket = await openWith(0);
  socket.pause();
  await holdOn(socket);
  replyHeld(`${"x".repeat(32 * 1024 * 1024)};`);
  areHeld = false;
  // Twice as long as connections without a request stay open: a socket starts again where something was taken meanwhile.
  for (let i = 0; i < 2; i++) {
    const idle = await openWith(0);
    idle.write(post("1"));
    await text(idle);
  }
  const received = collect(socket);
  socket.resume();
  await expect.poll(() => received.text.at(-1)).toBe(";");
  socket.destroy();
});

test("a client that has said that it sends nothing more gets its answer, and the end", async () => {
  areHeld = true;
  const socket = await openWith(LONG);
  socket.end(post("1"));
  await expect.poll(() => held.length).toBe(1);
  await pass();
  replyHeld("answer;");
  expect(await text(socket)).toContain("answer;");
});

test("a client that says after its answer that it sends nothing more gets the end", async () => {
  const socket = await openWith(LONG);
  const received = collect(socket);
  await ask(socket, received, post("1"), "fast 1;");
  const ended = once(socket, "end");
  socket.end();
  await ended;
});

test("an answer of Node.js may take longer than the fast path waits for a request", async () => {
  areHeld = true;
  const socket = await open(impatient);
  const received = collect(socket);
  socket.write("GET /v1/apikeys HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => ways).toEqual(["node"]);
  // This one is refused when the time is over.
  await text(await open(impatient));
  release();
  await expect.poll(() => received.text).toContain("node 0;");
  socket.destroy();
});

test("a client that is gone before its answer harms nobody", async () => {
  const socket = await open();
  await holdOn(socket);
  socket.resetAndDestroy();
  await pass();
  replyHeld("answer;");
  areHeld = false;
  const next = await open();
  await ask(next, collect(next), post("1"), "fast 1;");
  next.destroy();
});

test("a client that is gone has no further request worked on", async () => {
  let ofServer: Socket | undefined;
  listener.server.once("connection", (accepted) => (ofServer = accepted));
  const socket = await open();
  await holdOn(socket);
  socket.write(post("22"));
  await pass();
  socket.resetAndDestroy();
  await expect.poll(() => ofServer?.destroyed).toBe(true);
  replyHeld("answer;");
  await pass();
  expect(ways).toEqual(["fast", "node", "node"]);
});

test("requests behind one that is under way, and the end of the client: all answers, and the end", async () => {
  const socket = await openWith(LONG);
  await holdOn(socket);
  areHeld = false;
  socket.end(`${post("22")}GET /v1/apikeys HTTP/1.1\r\nHost: x\r\n\r\n`);
  await pass();
  replyHeld("answer;");
  expect(await text(socket)).toMatch(/answer;HTTP.*node 2;HTTP.*node 0;$/s);
});

test("a request in its usual form behind one that is under way, and the end of the client: both answers", async () => {
  const socket = await openWith(LONG);
  await holdOn(socket);
  areHeld = false;
  socket.end(post("22"));
  await pass();
  replyHeld("answer;");
  expect(await text(socket)).toMatch(/answer;HTTP.*fast 2;$/s);
});

test("half a request behind one that is under way, and the end of the client: the answer, and 400", async () => {
  const socket = await openWith(LONG);
  await holdOn(socket);
  socket.end(post("1", 2));
  await pass();
  replyHeld("answer;");
  expect(await text(socket)).toMatch(/answer;HTTP\/1\.1 400 .*"success":false/s);
});

test("a request that crosses its refusal is not worked on", async () => {
  const socket = await open(impatient);
  const received = collect(socket);
  await expect.poll(() => received.text).toMatch(/^HTTP\/1\.1 408 /);
  socket.write(post("1"));
  await pass();
  expect(ways).toEqual(["node"]);
  socket.destroy();
});

test("a request that breaks off: 400", async () => {
  const socket = await open();
  socket.end(post("1", 2));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"success":false/s);
});

test("a body that does not arrive is left to Node.js, which measures its time, long before the headers would be late", async () => {
  const eager = await start(LONG, 1);
  const socket = await open(eager);
  socket.write(post("1", 2));
  await expect.poll(() => ways).toEqual(["node"]);
  socket.destroy();
  await eager.stop(0);
});

test("a connection on which nothing arrives: 408", async () => {
  const socket = await open(impatient);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 408 .*"success":false/s);
});

test.each([
  ["its first request", false],
  ["a further one", true],
])("a connection whose time is over when %s has arrived and is not read yet: the answer", async (_, isFurther) => {
  const accepting = once(listener.server, "connection");
  const socket = await open();
  const [accepted] = (await accepting) as [Socket];
  const received = collect(socket);
  if (isFurther) {
    socket.write(post("1"));
    await expect.poll(() => received.text).toMatch(/fast 1;$/);
  }
  // Timers come before what has arrived.
  await delay(0);
  socket.write(post("22"));
  accepted.emit("timeout");
  await expect.poll(() => received.text).toMatch(/fast 2;$/);
  socket.destroy();
});

test("half a request that never ends: 408", async () => {
  const socket = await open(impatient);
  socket.write(post("1", 2));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 .*"success":false/s);
}, 15_000);

test("a connection without a request is closed after a while", async () => {
  const socket = await openWith(0);
  socket.write(post("1"));
  expect(await text(socket)).toMatch(/fast 1;$/);
});

test("a connection without a request is closed after a while, also when the last one came in two pieces", async () => {
  const patient = await start(20_000, LONG);
  const socket = await openWith(0, patient);
  await holdOn(socket);
  areHeld = false;
  socket.write(post("2", 2));
  await pass(patient);
  replyHeld("answer;");
  await pass(patient);
  socket.write("2");
  expect(await text(socket)).toMatch(/fast 2;$/);
  await patient.stop(0);
});

test("stop: half a request is waited for, and answered", async () => {
  const stopping = await start(20_000);
  const [socket, idle] = [await open(stopping), await open(stopping)];
  socket.write(post("1", 2));
  await pass(stopping);
  const stopped = stopping.stop(10_000);
  // It has closed the connections on which nothing is under way.
  expect(await text(idle)).toBe("");
  socket.write("2");
  expect(await text(socket)).toContain("node 2;");
  await stopped;
}, 15_000);

test("stop: a request that is under way is answered", async () => {
  const stopping = await start(20_000);
  const socket = await open(stopping);
  await holdOn(socket);
  const stopped = stopping.stop(10_000);
  replyHeld("answer;");
  expect(await text(socket)).toContain("answer;");
  await stopped;
}, 15_000);
