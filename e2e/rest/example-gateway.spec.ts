import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { call } from "./client";
import {
  answerJson,
  answerWhole,
  beginStream,
  DONE_EVENT,
  eventOf,
  type FakeUpstream,
  USAGE,
  USAGE_EVENT,
} from "./fake-upstream";
import { type Gateway, MODEL, newSpender, openScene, PRICE, PROMPT, type Scene, UPSTREAM_KEY, yuan } from "./gateway";

const FOLDER = "examples/gateway";
const BODY = { model: MODEL.name, messages: [{ role: "user", content: PROMPT }], max_tokens: 100 };
const STREAM = { stream: true };
const COST = yuan(USAGE.prompt_tokens, USAGE.completion_tokens);

let scene: Scene;
let upstream: FakeUpstream;
let gateway: Gateway;

beforeAll(async () => {
  scene = await openScene();
  ({ upstream } = scene);
  gateway = await scene.start("outbox.jsonl");
});
afterAll(async () => {
  expect(await gateway.stop()).toEqual([0, null]);
  await scene.close();
});
beforeEach(() => {
  upstream.answerWith(answerWhole);
  scene.road.obstacle = () => undefined;
});

const spender = (limits: object = {}) => newSpender(scene.account, limits);

/** Asks the gateway for a completion. */
function complete(apikey: string, more: object = {}, options: RequestInit = {}, at = gateway): Promise<Response> {
  return fetch(`${at.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apikey}`, "content-type": "application/json" },
    body: JSON.stringify({ ...BODY, ...more }),
    ...options,
  });
}

const sizeOf = (more: object = {}) => Buffer.byteLength(JSON.stringify({ ...BODY, ...more }));

test("is under 300 lines, with Node's own modules only", async () => {
  const files = await readdir(FOLDER);
  const sources = await Promise.all(files.map((file) => readFile(`${FOLDER}/${file}`, "utf8")));
  expect(sources.join("").match(/\n/g)?.length).toBeLessThan(300);
  const imported = sources.flatMap((source) => [...source.matchAll(/from "([^"]+)"/g)].map(([, name]) => name));
  expect(imported.filter((name) => !name?.startsWith("node:") && !name?.startsWith("./"))).toEqual([]);
});

describe("an answer in one piece", () => {
  test("comes through; what it cost is in the ledger, to the last decimal, and nothing is held", async () => {
    const { apikey, books } = await spender({ budget: 1 });
    const answer = await complete(apikey, {}, {});
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: "Good morning." } }], usage: USAGE });
    await expect.poll(books).toEqual({
      spent: COST,
      held: 0,
      ledger: [COST],
      authorizations: [{ state: "captured", amount: yuan(sizeOf(), 100), captured: COST }],
    });
    const { headers, body } = upstream.exchanges.at(-1) ?? {};
    expect([headers?.authorization, body]).toEqual([`Bearer ${UPSTREAM_KEY}`, BODY]);
  });

  test("cached input has the price of cached input", async () => {
    const { apikey, books } = await spender();
    const usage = { prompt_tokens: 1001, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 999 } };
    upstream.answerWith(({ response }) => answerJson(response, 200, { choices: [], usage }));
    expect((await complete(apikey)).status).toBe(200);
    await expect.poll(async () => (await books()).ledger).toEqual([yuan(1001, 7, 999)]);
  });

  test("cached input that the service tells twice counts once, as LiteLLM tells it of Anthropic's models", async () => {
    const { apikey, books } = await spender();
    const told = {
      prompt_tokens_details: { cached_tokens: 4 },
      cache_read_input_tokens: 4,
      cache_creation_input_tokens: 3,
    };
    const usage = { ...USAGE, ...told };
    upstream.answerWith(({ response }) => answerJson(response, 200, { choices: [], usage }));
    await complete(apikey);
    await expect.poll(async () => (await books()).ledger).toEqual([yuan(11, 7, 4)]);
  });

  test("the most it may cost is held while it is under way: n answers, and the model's own most without max_tokens", async () => {
    const { apikey, books } = await spender({ budget: 1 });
    const amounts: number[] = [];
    upstream.answerWith(async (exchange) => {
      amounts.push((await books()).held);
      answerWhole(exchange);
    });
    const unbounded = { max_tokens: undefined };
    for (const more of [{ n: 3 }, unbounded, { max_completion_tokens: 200 }]) {
      expect((await complete(apikey, more)).status).toBe(200);
      await expect.poll(async () => (await books()).held).toBe(0);
    }
    expect(amounts).toEqual([
      yuan(sizeOf({ n: 3 }), 300),
      yuan(sizeOf(unbounded), MODEL.max_output_tokens),
      yuan(sizeOf({ max_completion_tokens: 200 }), 200),
    ]);
  });

  test.each([{}, { max_tokens: undefined }])(
    "without usage: a token a byte, and no more than was held: %j",
    async (more) => {
      const { apikey, books } = await spender();
      upstream.answerWith(({ response }) => answerJson(response, 200, { choices: [], long: "a".repeat(10_000) }));
      expect((await complete(apikey, more)).status).toBe(200);
      const most = "max_tokens" in more ? MODEL.max_output_tokens : 100;
      await expect.poll(async () => (await books()).ledger).toEqual([yuan(sizeOf(more), most)]);
    },
  );

  test("two calls of one X-Request-Id are two calls", async () => {
    const { apikey, books } = await spender();
    const headers = { authorization: `Bearer ${apikey}`, "x-request-id": "mine" };
    for (const _ of [1, 2]) {
      const { headers: answered } = await complete(apikey, {}, { headers });
      expect(answered.get("x-request-id")).toMatch(/^mine\.[0-9a-f-]{36}$/);
    }
    await expect.poll(async () => (await books()).ledger).toEqual([COST, COST]);
  });
});

describe("a stream", () => {
  test("arrives event by event, before its end; its usage is captured", async () => {
    const { apikey, books } = await spender({ budget: 1 });
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
    expect((await books()).held).toBe(yuan(sizeOf(STREAM), 100));
    goOn();
    let rest = "";
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) rest += read.value;
    // The gateway asked for the usage, the caller did not.
    expect(rest).toBe(eventOf("m\u00f6rning.") + DONE_EVENT);
    expect(upstream.exchanges.at(-1)?.body.stream_options).toEqual({ include_usage: true });
    await expect.poll(books).toMatchObject({ spent: COST, held: 0, ledger: [COST] });
  });

  test("has the usage in it where the caller asks for it", async () => {
    const { apikey } = await spender();
    upstream.answerWith(async (exchange) => {
      await beginStream(exchange)(eventOf("Good morning."), USAGE_EVENT, DONE_EVENT);
      exchange.response.end();
    });
    const answer = await complete(apikey, { ...STREAM, stream_options: { include_usage: true } });
    expect(await answer.text()).toBe(eventOf("Good morning.") + USAGE_EVENT + DONE_EVENT);
  });

  // Whoever writes JSON without escapes, as Python's libraries can, sends this character as it is.
  test("with a line separator of Unicode in its text comes through, and its usage is captured", async () => {
    const { apikey, books } = await spender();
    const text = eventOf("Good\u2028morning.");
    upstream.answerWith(async (exchange) => {
      await beginStream(exchange)(text, USAGE_EVENT, DONE_EVENT);
      exchange.response.end();
    });
    expect(await (await complete(apikey, STREAM)).text()).toBe(text + DONE_EVENT);
    await expect.poll(async () => (await books()).ledger).toEqual([COST]);
  });

  test("that the client leaves in the middle: the upstream is let go, what came is captured, nothing stays held", async () => {
    const { apikey, books } = await spender();
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
    await expect.poll(books).toMatchObject({ spent: cost, held: 0, ledger: [cost] });
  });

  test("that the upstream breaks off: the client sees it break, what came is captured", async () => {
    const { apikey, books } = await spender();
    upstream.answerWith(async (exchange) => {
      await beginStream(exchange)(eventOf("Good "));
      exchange.response.destroy();
    });
    const answer = await complete(apikey, STREAM);
    await expect(answer.text()).rejects.toThrow();
    const cost = yuan(sizeOf(STREAM), 5);
    await expect.poll(books).toMatchObject({ spent: cost, held: 0, ledger: [cost] });
  });
});

describe("a call that cost nothing is voided", () => {
  const VOIDED = { spent: 0, held: 0, ledger: [], authorizations: [{ state: "voided", captured: null }] };

  test("an error of the upstream, which the caller gets to read", async () => {
    const { apikey, books } = await spender();
    const fault = { error: { message: "too many messages", type: "invalid_request_error" } };
    upstream.answerWith(({ response }) => answerJson(response, 400, fault));
    for (const more of [{}, STREAM]) {
      const answer = await complete(apikey, more);
      expect([answer.status, await answer.json()]).toEqual([400, fault]);
    }
    const [voided] = VOIDED.authorizations;
    await expect.poll(books).toMatchObject({ ...VOIDED, authorizations: [voided, voided] });
  });

  test("an upstream that refuses the gateway's own key, and one that cannot be reached: 502", async () => {
    const { apikey, books } = await spender();
    upstream.answerWith(({ response }) => answerJson(response, 401, { error: {} }));
    const nowhere = await scene.start("nowhere.jsonl", { UPSTREAM_URL: "http://127.0.0.1:1/v1" });
    for (const at of [gateway, nowhere]) {
      const answer = await complete(apikey, {}, {}, at);
      expect([answer.status, (await answer.json()).error.code]).toEqual([502, "upstream_failed"]);
    }
    const [voided] = VOIDED.authorizations;
    await expect.poll(books).toMatchObject({ ...VOIDED, authorizations: [voided, voided] });
    await nowhere.stop();
  });
});

describe("a call that was passed on, and of which nothing is known, is captured with what was held", () => {
  test.each<[string, Parameters<FakeUpstream["answerWith"]>[0]]>([
    ["an upstream that hangs up", ({ response }) => response.destroy()],
    ["an answer that is no JSON", ({ response }) => response.writeHead(200).end("good morning")],
  ])("%s: 502", async (_, answerWith) => {
    const { apikey, books } = await spender();
    upstream.answerWith(answerWith);
    const answer = await complete(apikey);
    expect([answer.status, (await answer.json()).error.code]).toEqual([502, "upstream_failed"]);
    const held = yuan(sizeOf(), 100);
    await expect.poll(books).toMatchObject({ spent: held, held: 0, ledger: [held] });
  });

  test.each([{}, STREAM])("a client that leaves before anything came: %j", async (more) => {
    const { apikey, books } = await spender();
    const leaving = new AbortController();
    upstream.answerWith(() => leaving.abort());
    await expect(complete(apikey, more, { signal: leaving.signal })).rejects.toThrow("abort");
    const held = yuan(sizeOf(more), 100);
    await expect.poll(books).toMatchObject({ spent: held, held: 0, ledger: [held] });
  });
});

describe("an upstream that is busy", () => {
  /** Answers the first calls with this, and all after them whole. */
  const busyFor = (times: number, first: Parameters<FakeUpstream["answerWith"]>[0]) => {
    let left = times;
    upstream.answerWith((exchange) => (left-- > 0 ? first(exchange) : answerWhole(exchange)));
  };

  test.each<[string, Parameters<FakeUpstream["answerWith"]>[0]]>([
    ["429 with Retry-After", ({ response }) => answerJson(response.setHeader("retry-after", "1"), 429, {})],
    ["529", ({ response }) => answerJson(response, 529, {})],
    ["no answer", ({ response }) => response.destroy()],
  ])("%s: is asked again, and the call is paid for once", async (_, first) => {
    const { apikey, books } = await spender();
    const before = upstream.exchanges.length;
    busyFor(1, first);
    expect((await complete(apikey)).status).toBe(200);
    expect(upstream.exchanges.length).toBe(before + 2);
    await expect.poll(books).toMatchObject({ spent: COST, held: 0, ledger: [COST], authorizations: [{}] });
  });

  test("for too long: the caller gets its last answer, with Retry-After", async () => {
    const { apikey, books } = await spender();
    const before = upstream.exchanges.length;
    busyFor(9, ({ response }) => answerJson(response, 503, { error: { message: "overloaded" } }));
    expect((await complete(apikey)).status).toBe(503);
    expect(upstream.exchanges.length).toBe(before + 3);
    busyFor(9, ({ response }) => answerJson(response.setHeader("retry-after", "60"), 429, {}));
    const answer = await complete(apikey);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(upstream.exchanges.length).toBe(before + 4);
    await expect.poll(books).toMatchObject({ spent: 0, held: 0 });
  });

  test("a stream that has begun is not begun again", async () => {
    const { apikey } = await spender();
    const before = upstream.exchanges.length;
    busyFor(1, async (exchange) => {
      await beginStream(exchange)(eventOf("Good "));
      exchange.response.destroy();
    });
    await expect((await complete(apikey, STREAM)).text()).rejects.toThrow();
    expect(upstream.exchanges.length).toBe(before + 1);
  });
});

describe("refusals", () => {
  const refused = async (apikey: string, more: object = {}) => {
    const asked = upstream.exchanges.length;
    const answer = await complete(apikey, more);
    const { error } = await answer.json();
    expect(upstream.exchanges.length).toBe(asked);
    expect(error).toEqual({ message: expect.any(String), type: error.code, param: null, code: error.code });
    const retryAfter = Number(answer.headers.get("retry-after"));
    return { status: answer.status, ...error, retry: answer.headers.get("x-should-retry"), retryAfter };
  };

  const DAY_SECONDS = 24 * 60 * 60;

  test.each<[number, string, object, number]>([
    [402, "budget", { budget: 0.0001 }, 0],
    [429, "daily_limit", { daily_limit: 0.001 }, DAY_SECONDS],
    [429, "monthly_limit", { monthly_limit: 0.001 }, 31 * DAY_SECONDS],
    [403, "input_price_limit", { input_price_limit: PRICE.input - 0.01 }, 0],
    [403, "output_price_limit", { output_price_limit: PRICE.output - 0.01 }, 0],
    [401, "key_expired", { expiry_date: "2020-01-01" }, 0],
  ])("%i %s", async (status, code, limits, longest) => {
    const { apikey, books } = await spender(limits);
    // A call that fits into the limits of the day and the month as such, and one that does not fit any more.
    const usage = { prompt_tokens: 0, completion_tokens: 450 };
    upstream.answerWith(({ response }) => answerJson(response, 200, { choices: [], usage }));
    if (longest > 0) expect((await complete(apikey)).status).toBe(200);
    await expect.poll(async () => (await books()).held).toBe(0);
    const answer = await refused(apikey);
    expect([answer.status, answer.code, answer.retry]).toEqual([status, code, "false"]);
    expect(answer.retryAfter).toBeLessThanOrEqual(longest);
    expect(answer.retryAfter > 0).toBe(longest > 0);
  });

  test("prices at the ceilings pass", async () => {
    const { apikey } = await spender({ input_price_limit: PRICE.input, output_price_limit: PRICE.output });
    expect((await complete(apikey)).status).toBe(200);
  });

  test("401: an unknown key, a disabled one, none", async () => {
    const { apikey, id } = await spender();
    await call("POST", `/v1/apikeys/${id}/disable`, { key: scene.account.apikey, body: {} });
    expect(await refused(apikey)).toMatchObject({ status: 401, code: "key_disabled" });
    expect(await refused("sk-nonsense")).toMatchObject({ status: 401, code: "key_not_found" });
    const none = await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", body: "{}" });
    expect([none.status, (await none.json()).error.code]).toEqual([401, "key_not_found"]);
  });

  test("404: a model without a price; 400: what is no model or no number of tokens", async () => {
    const { apikey } = await spender();
    for (const model of ["gpt-0", "constructor"])
      expect(await refused(apikey, { model })).toMatchObject({ status: 404, code: "unknown_model" });
    const wrong = [
      ...[5, null, [MODEL.name]].map((model) => ({ model })),
      ...[-1, 0, 1.5, "many"].map((max_tokens) => ({ max_tokens })),
      ...[-1, "x"].map((n) => ({ n })),
      { max_tokens: undefined, n: 2 },
    ];
    for (const more of wrong) expect(await refused(apikey, more)).toMatchObject({ status: 400, code: "invalid_value" });
  });

  test("503 while Allowance is away, and while it does not know the gateway; no call is made", async () => {
    const { apikey } = await spender();
    scene.road.obstacle = () => "hangs up";
    expect(await refused(apikey)).toMatchObject({ status: 503, code: "allowance_away", retry: "true" });
    scene.road.obstacle = () => undefined;
    scene.road.authorization = "Bearer nobodys-token";
    expect(await refused(apikey)).toMatchObject({ status: 503, code: "allowance_away" });
    scene.road.authorization = undefined;
  });
});

test("an authorization whose answer is lost is asked for again, and holds once", async () => {
  const { apikey, books } = await spender();
  let failures = 1;
  scene.road.obstacle = (path) => (path === "/v1/authorizations" && failures-- > 0 ? "hangs up" : undefined);
  expect((await complete(apikey)).status).toBe(200);
  await expect.poll(async () => (await books()).authorizations).toHaveLength(1);
});

test("the models are those that the key may call", async () => {
  const { apikey } = await spender({ budget: 0.001 });
  const cheap = await spender({ input_price_limit: PRICE.input / 2 });
  const list = async (key: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}`, ...headers } });
    return { status: answer.status, body: await answer.json() };
  };
  const model = expect.objectContaining({ id: MODEL.name, object: "model", created: expect.any(Number) });
  expect(await list(apikey)).toEqual({ status: 200, body: { object: "list", data: expect.arrayContaining([model]) } });
  expect((await list(cheap.apikey)).body.data).not.toContainEqual(model);
  const { body } = await list(apikey, { "anthropic-version": "2023-06-01" });
  expect(body).toMatchObject({ has_more: false });
  expect(body.data).toContainEqual(expect.objectContaining({ id: MODEL.name, type: "model" }));
  expect((await list("sk-nonsense")).status).toBe(401);
});

test("what it has not is 404", async () => {
  const { apikey } = await spender();
  const answer = await fetch(`${gateway.url}/v1/audio/speech`, { headers: { authorization: `Bearer ${apikey}` } });
  expect([answer.status, (await answer.json()).error.code]).toEqual([404, "unknown_url"]);
});

test("a client that hangs up in the middle of its request leaves the gateway serving", async () => {
  const { apikey, books } = await spender();
  const socket = connect(Number(new URL(gateway.url).port), "localhost");
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${apikey}\r\nContent-Length: 100\r\n\r\n{"model"`,
    () => socket.destroy(),
  );
  await once(socket, "close");
  expect((await complete(apikey)).status).toBe(200);
  await expect.poll(books).toMatchObject({ ledger: [COST] });
});

test("no key, token or prompt is in the log or the journal, and every call is in the log", async () => {
  const { apikey } = await spender();
  await complete(apikey);
  await complete("sk-nonsense");
  await expect.poll(() => gateway.output()).toContain('"code":"key_not_found"');
  const journal = await readFile(`${scene.folder.path}/outbox.jsonl`, "utf8");
  for (const secret of [apikey, "sk-nonsense", inject("gatewayToken"), UPSTREAM_KEY, PROMPT, "Good morning"])
    expect(gateway.output() + journal).not.toContain(secret);
  expect(gateway.output()).toContain(`"capture":${COST}`);
});
