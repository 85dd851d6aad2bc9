import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FastRequest, RequestReader } from "./request";

const FIELDS = ["Host: x", "Authorization: Bearer sk-1", "Content-Type: application/json", "Content-Length: 2"];
const whole = (fields: readonly string[], line = "POST /v1/apikeys HTTP/1.1", body = "{}") =>
  `${[line, ...fields].join("\r\n")}\r\n\r\n${body}`;
/** It takes a `GET` of one path. */
const newReader = (remoteAddress?: string) => new RequestReader({ remoteAddress }, (path) => path === "/v1/allowance");
const read = (text: string, reader = newReader("192.0.2.1")) => reader.read(Buffer.from(text, "latin1"));

test("a request of the usual form: path, headers by their lower-case names, body and address", () => {
  expect(read(whole(FIELDS))).toMatchObject({
    method: "POST",
    url: "/v1/apikeys",
    headers: { host: "x", authorization: "Bearer sk-1", "content-type": "application/json", "content-length": "2" },
    body: Buffer.from("{}"),
    socket: { remoteAddress: "192.0.2.1" },
  });
  expect(read(whole(["host:x", "CONNECTION: Keep-Alive"], undefined, ""))).toMatchObject({
    headers: { host: "x", connection: "Keep-Alive" },
    body: Buffer.alloc(0),
  });
});

const GET_LINE = "GET /v1/allowance HTTP/1.1";
const GET_FIELDS = ["Host: x", "Authorization: Bearer sk-1"];

test("GET of a path that it takes: headers, and no body", () => {
  const headers = { host: "x", authorization: "Bearer sk-1" };
  const expected = { method: "GET", url: "/v1/allowance", headers, body: Buffer.alloc(0) };
  expect(read(whole(GET_FIELDS, GET_LINE, ""))).toMatchObject(expected);
});

test("a field without a value", () => {
  const headers = { host: "x", authorization: "", "allowance-key": "" };
  expect(read(whole(["Host: x", "Authorization:", "Allowance-Key: "], GET_LINE, ""))).toMatchObject({ headers });
});

test("a GET with the fields of the POST before it has no body", () => {
  const reader = newReader();
  expect(read(whole(FIELDS), reader)).toBeInstanceOf(FastRequest);
  expect(read(whole(FIELDS, GET_LINE), reader)).toBe("other");
});

test("the next request of a connection: its own path and body, and its own headers where they differ", () => {
  const reader = newReader();
  read(whole(FIELDS), reader);
  expect(read(whole(FIELDS, "POST /v1/groups HTTP/1.1", "[]"), reader)).toMatchObject({
    url: "/v1/groups",
    body: Buffer.from("[]"),
  });
  const other = ["Host: x", "Authorization: Bearer sk-2", "Content-Length: 3"];
  const next = read(whole(other, undefined, "{ }"), reader);
  expect(next).toMatchObject({ headers: { authorization: "Bearer sk-2" }, body: Buffer.from("{ }") });
  expect(next).not.toHaveProperty("headers.content-type");
  // What was refused in between does not count as the request before.
  expect(read(whole([...FIELDS, "Upgrade: h2c"]), reader)).toBe("other");
  expect(read(whole(other, undefined, "{ }"), reader)).toBeInstanceOf(FastRequest);
});

test("each of several sets of headers has its own length, also when more have come than are remembered", () => {
  const reader = newReader();
  for (let round = 0; round < 2; round++) {
    for (let length = 0; length < 20; length++) {
      const fields = ["Host: x", `Authorization: Bearer sk-${length}`, `Content-Length: ${length}`];
      const body = "a".repeat(length);
      expect(read(whole(fields, undefined, body), reader)).toMatchObject({
        headers: { authorization: `Bearer sk-${length}` },
        body: Buffer.from(body),
      });
      expect(read(whole(fields, undefined, `${body}a`), reader)).toBe("other");
    }
  }
});

test("what a connection remembers is bounded, and has no bodies", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heap = () => {
    collect();
    return getHeapStatistics().used_heap_size;
  };
  const before = heap();
  const readers = Array.from({ length: 20 }, () => newReader());
  // More sets than are remembered, each several times, so that they are found among the older ones too.
  for (const reader of readers) {
    for (let i = 0; i < 400; i++) {
      const length = 15_000 + (i % 100);
      const fields = ["Host: x", `Content-Length: ${length}`];
      expect(read(whole(fields, undefined, "a".repeat(length)), reader)).toBeInstanceOf(FastRequest);
    }
  }
  expect((heap() - before) / readers.length).toBeLessThan(100_000);
});

test("a part of the body is missing", () => {
  expect(read(whole(FIELDS, undefined, "{"))).toBe("incomplete");
  expect(read(whole(FIELDS, undefined, ""))).toBe("incomplete");
});

test.each([
  ["another method", whole(FIELDS, "PUT /v1/apikeys HTTP/1.1")],
  ["GET of another path", whole(GET_FIELDS, "GET /v1/apikeys HTTP/1.1", "")],
  ["GET with a query", whole(GET_FIELDS, "GET /v1/allowance?a=b HTTP/1.1", "")],
  ["GET with a body", whole(FIELDS, GET_LINE)],
  ["GET with a body of one byte", whole([...GET_FIELDS, "Content-Length: 1"], GET_LINE, "a")],
  ["GET with a body that is missing", whole(FIELDS, GET_LINE, "")],
  ["bytes behind a GET", whole(GET_FIELDS, GET_LINE)],
  ["another path", whole(FIELDS, "POST /api/trpc/keys.create HTTP/1.1")],
  ["a query", whole(FIELDS, "POST /v1/apikeys?a=b HTTP/1.1")],
  ["an encoded path", whole(FIELDS, "POST /v1/apikeys/%61 HTTP/1.1")],
  ["a whole URL", whole(FIELDS, "POST http://x/v1/apikeys HTTP/1.1")],
  ["HTTP/1.0", whole(FIELDS, "POST /v1/apikeys HTTP/1.0")],
  ["no host", whole(FIELDS.slice(1))],
  ["no fields", "POST /v1/apikeys HTTP/1.1\r\n\r\n"],
  ["a head that is not whole", "POST /v1/apikeys HTTP/1.1\r\nHost: x\r\n"],
  ["nothing of a line", "POST"],
  ["a line that ends with a line feed alone", whole(FIELDS).replace("\r\n", "\n")],
  ["a field twice", whole([...FIELDS, "host: y"])],
  ["a field that every object has", whole([...FIELDS, "constructor: y"])],
  ["a field that goes on in the next line", whole([...FIELDS, "A: b", " c"])],
  ["a space before the colon", whole([...FIELDS, "A : b"])],
  ["a space at the end", whole([...FIELDS, "A: b "])],
  ["a tab", whole([...FIELDS, "A:\tb"])],
  ["no value of a length", whole(["Host: x", "Content-Length:"], undefined, "")],
  ["a value that is not ASCII", whole([...FIELDS, "A: \xe9"])],
  ["a body in chunks", whole(["Host: x", "Transfer-Encoding: chunked"], undefined, "2\r\n{}\r\n0\r\n\r\n")],
  ["both lengths", whole([...FIELDS, "Transfer-Encoding: chunked"])],
  ["the end of the connection asked for", whole([...FIELDS, "Connection: close"])],
  ["another protocol asked for", whole([...FIELDS, "Connection: upgrade", "Upgrade: websocket"])],
  ["an answer before the body expected", whole([...FIELDS, "Expect: 100-continue"])],
  ["a length with a sign", whole(["Host: x", "Content-Length: +2"])],
  ["two lengths in one", whole(["Host: x", "Content-Length: 2, 2"])],
  ["a body that is longer than its length", whole(FIELDS, undefined, "{}\r\n")],
  ["two requests at once", whole(FIELDS) + whole(FIELDS)],
  ["101 fields", whole(["Host: x", ...Array.from({ length: 100 }, (_, i) => `A${i}: b`)], undefined, "")],
  ["a long body", whole(["Host: x", "Content-Length: 16385"], undefined, "")],
  ["a long head", whole([...FIELDS, `A: ${"a".repeat(16 * 1024)}`])],
])("%s is for Node.js", (_, text) => {
  expect(read(text)).toBe("other");
});

/** Answers with what Node.js has read. */
const server = createServer(async (request: IncomingMessage, response) => {
  const body = await buffer(request);
  seen.push({ method: request.method, url: request.url, headers: request.headers, body: body.toString("latin1") });
  response.end();
});
let seen: object[] = [];
beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => void server.close());

/** The requests that Node.js reads in these bytes. */
async function readByNode(text: string): Promise<object[]> {
  seen = [];
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.end(text, "latin1");
  socket.resume();
  await once(socket, "close");
  return seen;
}

test("whatever it accepts, Node.js reads as the same one request", async () => {
  const piece = fc.constantFrom(
    ...["\r", "\n", "\r\n", " ", "\t", ":", ",", ";", "\0", "\x7f", "\x80", "0", "9", "-", "_", "/", "?", "%", "A"],
    ...["Host: y\r\n", "Content-Length: 1\r\n", "X-A: b\r\n", "Transfer-Encoding: chunked\r\n", "{}"],
  );
  const texts = [
    whole([...FIELDS, "X-Request: 1"]),
    whole([...GET_FIELDS, "X-Request: 1"], GET_LINE, ""),
    whole([...GET_FIELDS, "Content-Length: 0"], GET_LINE, ""),
  ];
  const change = fc.record({ at: fc.nat(), cut: fc.nat(3), put: fc.array(piece, { maxLength: 2 }) });
  const accepted = { POST: 0, GET: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...texts),
      fc.array(change, { minLength: 1, maxLength: 2 }),
      async (original, changes) => {
        let text = original;
        for (const { at, cut, put } of changes) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + put.join("") + text.slice(place + cut);
        }
        const request = read(text, new RequestReader({ remoteAddress: undefined }, () => true));
        if (!(request instanceof FastRequest)) return;
        const { method, url, headers, body } = request;
        expect(await readByNode(text)).toEqual([{ method, url, headers, body: body.toString("latin1") }]);
        if (text !== original) accepted[method as "POST" | "GET"]++;
      },
    ),
    { numRuns: 2_000 },
  );
  expect(Math.min(accepted.POST, accepted.GET)).toBeGreaterThan(50);
});
