import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { GATEWAY_TOKEN } from "../product";
import { type Account, type Answer, call, newAccount } from "./client";

const CREATE = "/v1/apikeys";
const JSON_TYPE = { "content-type": "application/json" };
let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

const post = (raw: string | Buffer<ArrayBuffer>, headers: Record<string, string> = JSON_TYPE) =>
  call("POST", CREATE, { key: account.apikey, raw, headers });

/**
 * Sends bytes as they are, and returns all bytes that the server sends before it closes the connection.
 * @param isLast whether the server is told at once that nothing more comes.
 */
async function sendBytes(bytes: string, isLast = false): Promise<string> {
  const socket = connect(Number(new URL(inject("productUrl")).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(bytes);
  if (isLast) socket.end();
  return text(socket);
}

function expectGuarded({ headers }: Answer) {
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("content-type")).toBe("application/json");
}

describe("400, the body", () => {
  const notJson = "body: is not valid JSON";
  const notObject = "body: must be a JSON object";

  test.each<[string, string | Buffer<ArrayBuffer>, string]>([
    ["malformed JSON", '{"name":', notJson],
    ["nothing", "", notJson],
    ["a comment", '{"name":"n"} // n', notJson],
    ["NaN", '{"name":"n","budget":NaN}', notJson],
    ["a number in another form", '{"name":"n","budget":0x10}', notJson],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), notJson],
    ["arrays 30,000 deep", "[".repeat(30_000), notJson],
    [
      "objects 7,000 deep, closed",
      `${'{"name":'.repeat(7_000)}1${"}".repeat(7_000)}`,
      "name: expected string, received object",
    ],
    ["an array", "[]", notObject],
    ["a string", '"name"', notObject],
    ["a number", "5", notObject],
    ["null", "null", notObject],
    ["true", "true", notObject],
  ])("%s", async (_, raw, error) => {
    const answer = await post(raw);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error }]);
    expectGuarded(answer);
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "application/json-patch+json",
    "multipart/form-data; boundary=x",
  ])("of content type %s", async (type) => {
    const { status, body } = await post('{"name":"n"}', { "content-type": type });
    expect([status, body.error]).toEqual([400, "Content-Type: must be application/json"]);
  });

  test.each([
    ["gzip", gzipSync('{"name":"n"}'), "body: must not be compressed or have another Content-Encoding"],
    ["identity", '{"name":', notJson],
  ])("in the encoding %s", async (encoding, raw, error) => {
    const { status, body } = await post(raw, { ...JSON_TYPE, "content-encoding": encoding });
    expect([status, body.error]).toEqual([400, error]);
  });

  test("of no content type", async () => {
    const { status, body } = await call("POST", CREATE, { key: account.apikey, raw: Buffer.from('{"name":"n"}') });
    expect([status, body.error]).toEqual([400, "Content-Type: must be application/json"]);
  });

  test("in another charset", async () => {
    const { status, body } = await post('{"name":"n"}', { "content-type": "application/json; charset=latin1" });
    expect([status, body.error]).toEqual([400, "Content-Type: the charset must be utf-8"]);
  });
});

describe("201, the body", () => {
  test.each([
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    'application/json; charset="UTF-8"',
    "application/json; v=1",
  ])("of content type %s", async (type) => {
    expect((await post('{"name":"n"}', { "content-type": type })).status).toBe(201);
  });

  test("with a byte order mark", async () => {
    expect((await post('\ufeff{"name":"n"}')).status).toBe(201);
  });

  test("with a name that stands twice: the last value counts", async () => {
    const { status, body } = await post('{"name": "first", "budget": 1, "budget": 2, "name": "last"}');
    expect([status, body.name, body.budget]).toEqual([201, "last", 2]);
  });

  test("prototype names do nothing", async () => {
    const { status, headers, body } = await post(
      '{"name":"n","__proto__":{"budget":5},"constructor":{"budget":5},"toString":1}',
    );
    expect([status, body.budget]).toEqual([201, null]);
    expect(headers.get("ignored-parameters")).toBe("__proto__, constructor, toString");
  });

  test("ignored names cannot forge a header, and are cut short", async () => {
    const names = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`x${i}\r\nSet-Cookie: a=${i}`, 1]));
    const { status, headers } = await post(JSON.stringify({ name: "n", ...names, "\ud800": 1 }));
    expect(status).toBe(201);
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("ignored-parameters")?.split(", ")).toHaveLength(20);
    expect(headers.get("ignored-parameters")).toMatch(/^x0%0D%0ASet-Cookie%3A%20a%3D0, /);
  });

  test("ignored names are together no longer than a proxy lets pass", async () => {
    const names = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}`.padEnd(64, "限"), 1]));
    const { status, headers } = await post(JSON.stringify({ name: "n", ...names }));
    const shown = Object.keys(names).slice(0, 3).map(encodeURIComponent);
    expect([status, headers.get("ignored-parameters")]).toEqual([201, shown.join(", ")]);
  });

  test("exactly 64 KiB is not too large", async () => {
    const body = '{"name":"n","note":"…"}';
    const filled = body.replace("…", "x".repeat(64 * 1024 - body.length + 1));
    expect(Buffer.byteLength(filled)).toBe(64 * 1024);
    expect((await post(filled)).status).toBe(201);
  });
});

describe("413", () => {
  const error = "body: must be at most 65536 bytes long";

  test.each([64 * 1024 + 1, 5_000_000])("a declared length of %i bytes", async (size) => {
    const answer = await post("x".repeat(size));
    expect([answer.status, answer.body]).toEqual([413, { success: false, error }]);
    expectGuarded(answer);
  });

  test("chunks without a declared length", async () => {
    const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
    const answer = await sendBytes(
      `POST ${CREATE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.apikey}\r\nContent-Type: application/json\r\n` +
        `Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain(error);
  });

  test("without a key it is 401, however large", async () => {
    const { status } = await call("POST", CREATE, { raw: "x".repeat(5_000_000), headers: JSON_TYPE });
    expect(status).toBe(401);
  });
});

describe("404, an unknown path", () => {
  test.each([
    "/v1",
    "/v1/",
    "/v1/apikeys/",
    "/V1/apikeys",
    "/v1/ApiKeys",
    "/v1//apikeys",
    "/v1/apikeys/sk-0000000/nothing",
    "/v1/apikeys//budget",
    "/v1/apikeys/sk-0000000/budget/",
    "/v1/apikeys/{apikey_id}/budget/x",
    "/v1/keys.create",
    "/v1/__proto__",
    "/v1/../healthz",
  ])("%s", async (path) => {
    const answer = await sendBytes(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    if (path.startsWith("/v1")) expect(answer.split("\r\n\r\n")[1]).toBe('{"success":false,"error":"unknown path"}');
  });
});

describe("400, the header Host", () => {
  const SOME = '{"name":"a key"}';
  test.each([
    ["none", [], "is required"],
    ["two", ["Host: x", "Host: y"], "must be sent once"],
    ["the same one twice", ["Host: x", "host: x"], "must be sent once"],
  ])("%s", async (_, hosts, fault) => {
    const { total } = (await call("GET", CREATE, { key: account.apikey })).body;
    const key = `Authorization: Bearer ${account.apikey}`;
    const fields = [...hosts, key, "Content-Type: application/json", "Connection: close"];
    const answer = await sendBytes(
      `POST ${CREATE} HTTP/1.1\r\n${fields.join("\r\n")}\r\nContent-Length: ${SOME.length}\r\n\r\n${SOME}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.split("\r\n\r\n")[1]).toBe(`{"success":false,"error":"Host: ${fault}"}`);
    expect((await call("GET", CREATE, { key: account.apikey })).body.total).toBe(total);
  });
});

describe("405, another method", () => {
  test.each([
    ["DELETE", "/v1/apikeys", "POST, GET"],
    ["DELETE", "/v1/apikeys/sk-0000000/budget", "POST"],
    ["PUT", "/v1/apikey_groups", "POST, GET"],
    ["OPTIONS", "/v1/apikey_groups", "POST, GET"],
    ["PATCH", "/v1/apikey_groups/0123456789abcdef01234567/batch_budget", "POST"],
  ])("%s %s", async (method, path, allowed) => {
    const answer = await call(method, path);
    expect([answer.status, answer.body]).toEqual([
      405,
      { success: false, error: `method not allowed; allowed: ${allowed}` },
    ]);
    expect(answer.headers.get("allow")).toBe(allowed);
    expectGuarded(answer);
  });
});

describe("what is no HTTP", () => {
  test.each([
    ["nonsense", "nonsense\r\n\r\n", 400],
    ["a header that is none", "GET /v1/apikey_groups HTTP/1.1\r\nHost x\r\n\r\n", 400],
    ["two lengths", "POST /v1/apikeys HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400],
    [
      "a length and chunks",
      "POST /v1/apikeys HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["a NUL in a header", "GET /v1/apikey_groups HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n", 400],
    ["headers without end", `GET /v1/apikey_groups HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(40_000)}\r\n\r\n`, 431],
  ])("%s", async (_, bytes, status) => {
    const [head = "", body = ""] = (await sendBytes(bytes)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(JSON.parse(body)).toEqual({ success: false, error: expect.any(String) });
  });
});

describe("what stands behind a request", () => {
  const create = (name: string) => {
    const body = JSON.stringify({ name });
    return `POST ${CREATE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.apikey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };

  test("what is no HTTP: 400 behind the answers, in their order", async () => {
    const answers = await sendBytes(`${create("first")}${create("second")}nonsense\r\n\r\n`);
    expect(answers).toMatch(
      /^HTTP\/1\.1 201 .*"name":"first".*HTTP\/1\.1 201 .*"name":"second".*HTTP\/1\.1 400 .*\r\nConnection: close\r\n/s,
    );
  });

  test("what is no HTTP, behind that of a file: the whole file, then 400", async () => {
    const read = `GET /v1/history/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.apikey}\r\n\r\n`;
    expect(await sendBytes(`${read}nonsense\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 200 .*Transfer-Encoding: chunked.*\r\n0\r\n\r\nHTTP\/1\.1 400 /s,
    );
  });

  test("the end of the client: the answers, and the end", async () => {
    expect(await sendBytes(`${create("first")}${create("second")}`, true)).toMatch(
      /^HTTP\/1\.1 201 .*"name":"first".*HTTP\/1\.1 201 .*"name":"second"[^\r]*$/s,
    );
  });
});

test("every answer has its guards and a Request-Id of its own", async () => {
  const answers = [
    await call("GET", "/v1/apikey_groups", { key: account.apikey }),
    await call("GET", "/v1/apikey_groups"),
    await call("POST", CREATE, { key: account.apikey, body: { name: "n" } }),
  ];
  answers.forEach(expectGuarded);
  expect(new Set(answers.map(({ headers }) => headers.get("request-id"))).size).toBe(3);
});

test("an offer to upgrade the connection is passed over, also after a page was rendered", async () => {
  await fetch(inject("productUrl"));
  const answer = await sendBytes(
    `GET /v1/apikey_groups HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\nAuthorization: Bearer ${account.apikey}\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ["the whole address, as to a proxy", "GET http://example.com/v1/apikey_groups", 200],
  ["no path", "OPTIONS *", 400],
  ["a procedure that cannot be decoded", "GET /api/trpc/%", 404],
])("a request that names %s", async (_, line, status) => {
  const answer = await sendBytes(
    `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${account.apikey}\r\n\r\n`,
  );
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

describe("a header that is sent twice", () => {
  const key = () => `Bearer ${account.apikey}`;
  const SEVERAL: [string, () => string[]][] = [
    ["a wrong key before a good one", () => ["Bearer nonsense", key()]],
    ["a wrong key behind a good one", () => [key(), "Bearer nonsense"]],
    ["the same good key", () => [key(), key()]],
    ["another scheme before a good key", () => ["Basic dTpw", key()]],
    ["another scheme behind a good key", () => [key(), "Basic dTpw"]],
    ["a good key and a good token of a gateway", () => [key(), `Bearer ${GATEWAY_TOKEN}`]],
    ["an empty one before a good key", () => ["", key()]],
    ["an empty one behind a good key", () => [key(), ""]],
    ["two good keys in one header", () => [`${key()}, ${key()}`]],
  ];
  const PATHS = [
    ["GET /v1/apikey_groups", "error"],
    ["GET /v1/allowance", "error"],
    ["GET /v1/authorizations/check", "error"],
    ["GET /api/trpc/groups.list", "message"],
    ["POST /v1/apikeys", "error"],
  ] as const;

  test.each(SEVERAL)("several Authorization headers, %s: 401 everywhere", async (_, values) => {
    const headers = values().map((value) => `Authorization: ${value}\r\n`);
    for (const [line, name] of PATHS) {
      const answer = await sendBytes(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers.join("")}\r\n`);
      expect(answer, line).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer, line).toContain(`"${name}":"Authorization: must be sent once"`);
    }
  });

  test.each([
    ["application/json", "application/json", "name: expected string, received nothing"],
    ["application/json; charset=utf-8", "application/json", "name: expected string, received nothing"],
    ["text/plain", "application/json", "Content-Type: must be application/json"],
  ])("of two Content-Type headers, %s and %s, the first counts", async (first, second, error) => {
    const types = `Content-Type: ${first}\r\nContent-Type: ${second}\r\n`;
    const answer = await sendBytes(
      `POST ${CREATE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${key()}\r\n${types}Content-Length: 2\r\n\r\n{}`,
    );
    expect(answer).toContain(`"error":"${error}"`);
  });

  test("a single header with commas is no such request", async () => {
    const digest = 'Digest username="a", realm="b", uri="/v1"';
    const answer = await sendBytes(
      `GET /v1/apikey_groups HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${digest}\r\n\r\n`,
    );
    expect(answer).toContain('"error":"API key missing or invalid"');
  });
});
