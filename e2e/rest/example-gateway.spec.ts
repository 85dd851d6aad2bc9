import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import prices from "@/examples/gateway/prices.json";
import { type Account, call, database, newAccount, newKey } from "./client";
import {
  answerJson,
  answerWhole,
  beginStream,
  DONE_EVENT,
  eventOf,
  type FakeUpstream,
  startUpstream,
  USAGE,
  USAGE_EVENT,
} from "./fake-upstream";

const GATEWAY = "examples/gateway/gateway.mjs";
const UPSTREAM_KEY = "upstream-key-of-the-operator";
const MODEL = "qwen-plus";
const PROMPT = "Say good morning, in secret.";
const PRICE = prices[MODEL];
const BODY = { model: MODEL, messages: [{ role: "user", content: PROMPT }], max_tokens: 100 };

let account: Account;
let upstream: FakeUpstream;
/** A proxy before Allowance, which can make Allowance unreachable. */
let road: Road;
let gateway: Gateway;

interface Road {
  url: string;
  /** Whether a request with this path gets no answer. */
  isClosed: (path: string) => boolean;
  close(): void;
}

interface Gateway {
  url: string;
  output(): string;
  stop(): Promise<unknown>;
}

async function openRoad(): Promise<Road> {
  const server = createServer((incoming, response) => {
    const { method, url = "", headers } = incoming;
    if (opened.isClosed(url)) return void incoming.socket.destroy();
    const onward = httpRequest(inject("productUrl") + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const opened: Road = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isClosed: () => false,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return opened;
}

/** Starts the example as its README says. */
async function startGateway(env: Record<string, string>): Promise<Gateway> {
  const child = spawn(process.execPath, [GATEWAY], {
    env: { NODE_ENV: "production", PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const exited = once(child, "exit");
  const url = () => /http:\/\/localhost:\d+/.exec(output)?.[0];
  while (url() === undefined) {
    const [ended] = await Promise.race([once(child.stdout, "data"), exited]);
    if (ended === child.exitCode) throw new Error(output);
  }
  const stop = () => {
    child.kill("SIGTERM");
    return exited;
  };
  return { url: url() ?? "", output: () => output, stop };
}

beforeAll(async () => {
  [account, upstream, road] = await Promise.all([newAccount(), startUpstream(), openRoad()]);
  gateway = await startGateway({
    ALLOWANCE_URL: road.url,
    GATEWAY_TOKEN: inject("gatewayToken"),
    UPSTREAM_URL: upstream.url,
    UPSTREAM_KEY,
  });
});
afterAll(async () => {
  expect(await gateway.stop()).toEqual([0, null]);
  await upstream.close();
  road.close();
});
beforeEach(() => {
  upstream.answerWith(answerWhole);
  road.isClosed = () => false;
});

/** Asks the gateway for a completion. */
function complete(apikey: string, more: object = {}, options: RequestInit = {}): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apikey}`, "content-type": "application/json" },
    body: JSON.stringify({ ...BODY, ...more }),
    ...options,
  });
}

/** Ledger and counters of one key. */
async function booksOf(id: string) {
  const { body } = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
  const { rows: ledger } = await database.pool.query(
    "SELECT amount::text FROM ledger WHERE account_id = $1 AND key_id = $2",
    [account.account_id, id],
  );
  const { rows: authorizations } = await database.pool.query(
    `SELECT state, amount::float8, captured::float8 FROM "authorization" WHERE account_id = $1 AND key_id = $2`,
    [account.account_id, id],
  );
  return { spent: body.spent, held: body.held, ledger: ledger.map(({ amount }) => Number(amount)), authorizations };
}

function yuan(promptTokens: number, completionTokens: number): number {
  return Number(((promptTokens * PRICE.input + completionTokens * PRICE.output) / 1e6).toFixed(9));
}

const sizeOf = (more: object = {}) => Buffer.byteLength(JSON.stringify({ ...BODY, ...more }));
const COST = yuan(USAGE.prompt_tokens, USAGE.completion_tokens);
const STREAM = { stream: true };

test("is a file of its own, under 150 lines, with Node's own modules only", async () => {
  const source = await readFile(GATEWAY, "utf8");
  expect(source.split("\n").length).toBeLessThanOrEqual(150);
  const imported = [...source.matchAll(/from "([^"]+)"/g)].map(([, name]) => name);
  expect(imported.every((name) => name?.startsWith("node:"))).toBe(true);
});

describe("an answer in one piece", () => {
  test("comes through; what it cost is in the ledger, to the last decimal, and nothing is held", async () => {
    const { apikey, id } = await newKey(account, { budget: 1 });
    const answer = await complete(apikey, {}, {});
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: "Good morning." } }], usage: USAGE });
    await expect
      .poll(() => booksOf(id))
      .toEqual({
        spent: COST,
        held: 0,
        ledger: [COST],
        authorizations: [{ state: "captured", amount: yuan(sizeOf(), 100), captured: COST }],
      });
    const { headers, body } = upstream.exchanges.at(-1) ?? {};
    expect([headers?.authorization, body]).toEqual([`Bearer ${UPSTREAM_KEY}`, BODY]);
  });

  test("the most it may cost is held while it is under way: n answers, and the model's own most without max_tokens", async () => {
    const { apikey, id } = await newKey(account, { budget: 1 });
    const amounts: number[] = [];
    upstream.answerWith(async (exchange) => {
      amounts.push((await booksOf(id)).held);
      answerWhole(exchange);
    });
    const unbounded = { max_tokens: undefined };
    for (const more of [{ n: 3 }, unbounded, { max_completion_tokens: 200 }]) {
      expect((await complete(apikey, more)).status).toBe(200);
      await expect.poll(async () => (await booksOf(id)).held).toBe(0);
    }
    expect(amounts).toEqual([
      yuan(sizeOf({ n: 3 }), 300),
      yuan(sizeOf(unbounded), PRICE.max_output_tokens),
      yuan(sizeOf({ max_completion_tokens: 200 }), 200),
    ]);
    expect(upstream.exchanges.at(-2)?.body.max_tokens).toBe(PRICE.max_output_tokens);
  });

  test("without usage: a token a byte, and no more than was held", async () => {
    const { apikey, id } = await newKey(account);
    upstream.answerWith(({ response }) => answerJson(response, 200, { choices: [], long: "a".repeat(1000) }));
    expect((await complete(apikey)).status).toBe(200);
    await expect.poll(async () => (await booksOf(id)).ledger).toEqual([yuan(sizeOf(), 100)]);
  });

  test("two calls of one X-Request-Id are two calls", async () => {
    const { apikey, id } = await newKey(account);
    const headers = { authorization: `Bearer ${apikey}`, "x-request-id": "mine" };
    for (const _ of [1, 2]) {
      const { headers: answered } = await complete(apikey, {}, { headers });
      expect(answered.get("x-request-id")).toMatch(/^mine\.[0-9a-f-]{36}$/);
    }
    await expect.poll(async () => (await booksOf(id)).ledger).toEqual([COST, COST]);
  });
});

describe("a stream", () => {
  test("arrives event by event, before its end; its usage is captured", async () => {
    const { apikey, id } = await newKey(account, { budget: 1 });
    let goOn = () => {};
    const seen = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    upstream.answerWith(async (exchange) => {
      const write = beginStream(exchange);
      await write(eventOf("Good "));
      // The upstream sends no more until the client has this; a gateway that buffers would hang.
      await seen;
      const [event, middle] = [eventOf("m\u00f6rning."), 40];
      await write(event.slice(0, middle), event.slice(middle), USAGE_EVENT, DONE_EVENT);
      exchange.response.end();
    });
    const answer = await complete(apikey, STREAM);
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe(eventOf("Good "));
    expect((await booksOf(id)).held).toBe(yuan(sizeOf(STREAM), 100));
    goOn();
    let rest = "";
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) rest += read.value;
    // The gateway asked for the usage, the caller did not.
    expect(rest).toBe(eventOf("m\u00f6rning.") + DONE_EVENT);
    expect(upstream.exchanges.at(-1)?.body.stream_options).toEqual({ include_usage: true });
    await expect.poll(() => booksOf(id)).toMatchObject({ spent: COST, held: 0, ledger: [COST] });
  });

  test("has the usage in it where the caller asks for it", async () => {
    const { apikey } = await newKey(account);
    upstream.answerWith(async (exchange) => {
      await beginStream(exchange)(eventOf("Good morning."), USAGE_EVENT, DONE_EVENT);
      exchange.response.end();
    });
    const answer = await complete(apikey, { ...STREAM, stream_options: { include_usage: true } });
    expect(await answer.text()).toBe(eventOf("Good morning.") + USAGE_EVENT + DONE_EVENT);
  });

  test("that the client leaves in the middle: the upstream is let go, what came is captured, nothing stays held", async () => {
    const { apikey, id } = await newKey(account);
    const left = new Promise((resolve) => {
      upstream.answerWith(async (exchange) => {
        exchange.response.once("close", resolve);
        await beginStream(exchange)(eventOf("Good "), eventOf("m\u00f6r"));
      });
    });
    const leaving = new AbortController();
    const answer = await complete(apikey, STREAM, { signal: leaving.signal });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; text !== eventOf("Good ") + eventOf("m\u00f6r"); ) text += (await reader?.read())?.value;
    leaving.abort();
    await left;
    const cost = yuan(sizeOf(STREAM), Buffer.byteLength("Good m\u00f6r"));
    await expect.poll(() => booksOf(id)).toMatchObject({ spent: cost, held: 0, ledger: [cost] });
  });

  test("that the upstream breaks off: the client sees it break, what came is captured", async () => {
    const { apikey, id } = await newKey(account);
    upstream.answerWith(async (exchange) => {
      await beginStream(exchange)(eventOf("Good "));
      exchange.response.destroy();
    });
    const answer = await complete(apikey, STREAM);
    await expect(answer.text()).rejects.toThrow();
    const cost = yuan(sizeOf(STREAM), 5);
    await expect.poll(() => booksOf(id)).toMatchObject({ spent: cost, held: 0, ledger: [cost] });
  });
});

describe("a call that came to nothing is voided", () => {
  const VOIDED = { spent: 0, held: 0, ledger: [], authorizations: [{ state: "voided", captured: null }] };

  test("an error of the upstream, which the caller gets to read", async () => {
    const { apikey, id } = await newKey(account);
    const fault = { error: { message: "too many messages", type: "invalid_request_error" } };
    upstream.answerWith(({ response }) => answerJson(response, 400, fault));
    for (const more of [{}, STREAM]) {
      const answer = await complete(apikey, more);
      expect([answer.status, await answer.json()]).toEqual([400, fault]);
    }
    const [voided] = VOIDED.authorizations;
    await expect.poll(() => booksOf(id)).toMatchObject({ ...VOIDED, authorizations: [voided, voided] });
  });

  test.each<[string, Parameters<FakeUpstream["answerWith"]>[0]]>([
    ["an upstream that hangs up", ({ response }) => response.destroy()],
    ["an upstream that refuses the gateway's own key", ({ response }) => answerJson(response, 401, { error: {} })],
    ["an answer that is no JSON", ({ response }) => response.writeHead(200).end("good morning")],
  ])("%s: 502", async (_, answerWith) => {
    const { apikey, id } = await newKey(account);
    upstream.answerWith(answerWith);
    const answer = await complete(apikey);
    expect([answer.status, (await answer.json()).error.code]).toEqual([502, "upstream_failed"]);
    await expect.poll(() => booksOf(id)).toMatchObject(VOIDED);
  });

  test.each([{}, STREAM])("a client that leaves before anything came: %j", async (more) => {
    const { apikey, id } = await newKey(account);
    const leaving = new AbortController();
    upstream.answerWith(() => leaving.abort());
    await expect(complete(apikey, more, { signal: leaving.signal })).rejects.toThrow("abort");
    await expect.poll(() => booksOf(id)).toMatchObject(VOIDED);
  });
});

describe("refusals", () => {
  const refused = async (apikey: string, more: object = {}) => {
    const asked = upstream.exchanges.length;
    const answer = await complete(apikey, more);
    const { error } = await answer.json();
    expect(upstream.exchanges.length).toBe(asked);
    expect(error).toEqual({ message: expect.any(String), type: error.code, param: null, code: error.code });
    return { status: answer.status, ...error, retry: answer.headers.get("x-should-retry") };
  };

  test.each<[number, string, object]>([
    [402, "budget", { budget: 0.0001 }],
    [429, "daily_limit", { daily_limit: 0.0001 }],
    [429, "monthly_limit", { monthly_limit: 0.0001 }],
    [403, "input_price_limit", { input_price_limit: PRICE.input - 0.01 }],
    [403, "output_price_limit", { output_price_limit: PRICE.output - 0.01 }],
    [401, "key_expired", { expiry_date: "2020-01-01" }],
  ])("%i %s", async (status, code, limits) => {
    const { apikey, id } = await newKey(account, { ...limits });
    const answer = await refused(apikey);
    expect([answer.status, answer.code, answer.retry]).toEqual([status, code, "false"]);
    if (code === "budget") {
      const most = yuan(sizeOf(), 100);
      expect(answer.message).toBe(`The total budget does not allow ${most} yuan: 0.0001 yuan are left.`);
    }
    expect(await booksOf(id)).toMatchObject({ spent: 0, held: 0, authorizations: [] });
  });

  test("prices at the ceilings pass", async () => {
    const { apikey } = await newKey(account, { input_price_limit: PRICE.input, output_price_limit: PRICE.output });
    expect((await complete(apikey)).status).toBe(200);
  });

  test("401: an unknown key, a disabled one, none", async () => {
    const { apikey, id } = await newKey(account);
    await call("POST", `/v1/apikeys/${id}/disable`, { key: account.apikey, body: {} });
    expect(await refused(apikey)).toMatchObject({ status: 401, code: "key_disabled" });
    expect(await refused("sk-nonsense")).toMatchObject({ status: 401, code: "key_not_found" });
    const none = await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", body: "{}" });
    expect([none.status, (await none.json()).error.code]).toEqual([401, "key_not_found"]);
  });

  test("404: a model without a price; 400: what is no number of tokens", async () => {
    const { apikey } = await newKey(account);
    for (const model of ["gpt-0", "constructor", 5, null, [MODEL]])
      expect(await refused(apikey, { model })).toMatchObject({ status: 404, code: "model_not_found" });
    for (const more of [{ max_tokens: -1 }, { max_tokens: 0 }, { max_tokens: "many" }, { n: -1 }, { n: "x" }])
      expect(await refused(apikey, more)).toMatchObject({ status: 400, code: "invalid_value" });
  });

  test("503 while Allowance is away, and while it does not know the gateway; no call is made", async () => {
    const { apikey } = await newKey(account);
    road.isClosed = () => true;
    expect(await refused(apikey)).toMatchObject({ status: 503, code: "allowance_away", retry: "true" });
    road.isClosed = () => false;
    const stranger = await startGateway({
      ALLOWANCE_URL: road.url,
      GATEWAY_TOKEN: "a-token-that-nobody-has-given-out",
      UPSTREAM_URL: upstream.url,
      UPSTREAM_KEY,
    });
    const headers = { authorization: `Bearer ${apikey}` };
    const answer = await fetch(`${stranger.url}/v1/chat/completions`, {
      method: "POST",
      headers,
      body: JSON.stringify(BODY),
    });
    expect(answer.status).toBe(503);
    await stranger.stop();
  });
});

test("a capture that gets no answer is tried again, and counts once", async () => {
  const { apikey, id } = await newKey(account);
  let failures = 2;
  road.isClosed = (path) => path.endsWith("/capture") && failures-- > 0;
  expect((await complete(apikey)).status).toBe(200);
  await expect.poll(() => booksOf(id)).toMatchObject({ spent: COST, held: 0, ledger: [COST] });
  expect(failures).toBe(-1);
});

test("an authorization whose answer is lost is asked for again, and holds once", async () => {
  const { apikey, id } = await newKey(account);
  let failures = 1;
  road.isClosed = (path) => path === "/v1/authorizations" && failures-- > 0;
  expect((await complete(apikey)).status).toBe(200);
  await expect.poll(async () => (await booksOf(id)).authorizations).toHaveLength(1);
});

test("the models are the upstream's, for whoever has a key", async () => {
  const { apikey } = await newKey(account, { budget: 0.001, input_price_limit: 0.001 });
  const models = { object: "list", data: [{ id: MODEL }] };
  upstream.answerWith(({ response }) => answerJson(response, 200, models));
  const list = (key: string) => fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  const answer = await list(apikey);
  expect([answer.status, await answer.json()]).toEqual([200, models]);
  expect(upstream.exchanges.at(-1)).toMatchObject({ method: "GET", url: "/v1/models" });
  expect((await list("sk-nonsense")).status).toBe(401);
  expect((await fetch(`${gateway.url}/v1/embeddings`, { headers: { authorization: `Bearer ${apikey}` } })).status).toBe(
    404,
  );
});

test("a client that hangs up in the middle of its request leaves the gateway serving", async () => {
  const { apikey, id } = await newKey(account);
  const socket = connect(Number(new URL(gateway.url).port), "localhost");
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${apikey}\r\nContent-Length: 100\r\n\r\n{"model"`,
    () => socket.destroy(),
  );
  await once(socket, "close");
  expect((await complete(apikey)).status).toBe(200);
  await expect.poll(() => booksOf(id)).toMatchObject({ ledger: [COST] });
});

test("no key, token or prompt is in the log, and every call is", async () => {
  const { apikey } = await newKey(account);
  await complete(apikey);
  await complete("sk-nonsense");
  await expect.poll(() => gateway.output()).toContain('"code":"key_not_found"');
  for (const secret of [apikey, "sk-nonsense", inject("gatewayToken"), UPSTREAM_KEY, PROMPT, "Good morning"])
    expect(gateway.output()).not.toContain(secret);
  expect(gateway.output()).toContain(`"capture":${COST}`);
});
