import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { describe, expect, inject, test } from "vitest";
import { BODY, COST, STREAM, sizeOf } from "./completions";
import { answerJson, answerWhole, type FakeUpstream, USAGE } from "./fake-upstream";
import { MODEL, PRICE, PROMPT, UPSTREAM_KEY, yuan } from "./gateway";
import { RunningGateway } from "./running-gateway";

const FOLDER = "examples/gateway";

const running = new RunningGateway();
const { spender, complete } = running;

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
    const { headers, body } = running.upstream.exchanges.at(-1) ?? {};
    expect([headers?.authorization, body]).toEqual([`Bearer ${UPSTREAM_KEY}`, BODY]);
  });

  test("cached input has the price of cached input", async () => {
    const { apikey, books } = await spender();
    const usage = { prompt_tokens: 1001, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 999 } };
    running.upstream.answerWith(({ response }) => answerJson(response, 200, { choices: [], usage }));
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
    running.upstream.answerWith(({ response }) => answerJson(response, 200, { choices: [], usage }));
    await complete(apikey);
    await expect.poll(async () => (await books()).ledger).toEqual([yuan(11, 7, 4)]);
  });

  test("the most it may cost is held while it is under way: n answers, and the model's own most without max_tokens", async () => {
    const { apikey, books } = await spender({ budget: 1 });
    const amounts: number[] = [];
    running.upstream.answerWith(async (exchange) => {
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
      running.upstream.answerWith(({ response }) =>
        answerJson(response, 200, { choices: [], long: "a".repeat(10_000) }),
      );
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

describe("a call that cost nothing is voided", () => {
  const VOIDED = { spent: 0, held: 0, ledger: [], authorizations: [{ state: "voided", captured: null }] };

  test("an error of the upstream, which the caller gets to read", async () => {
    const { apikey, books } = await spender();
    const fault = { error: { message: "too many messages", type: "invalid_request_error" } };
    running.upstream.answerWith(({ response }) => answerJson(response, 400, fault));
    for (const more of [{}, STREAM]) {
      const answer = await complete(apikey, more);
      expect([answer.status, await answer.json()]).toEqual([400, fault]);
    }
    const [voided] = VOIDED.authorizations;
    await expect.poll(books).toMatchObject({ ...VOIDED, authorizations: [voided, voided] });
  });

  test("an upstream that refuses the gateway's own key, and one that cannot be reached: 502", async () => {
    const { apikey, books } = await spender();
    running.upstream.answerWith(({ response }) => answerJson(response, 401, { error: {} }));
    const nowhere = await running.scene.start("nowhere.jsonl", { UPSTREAM_URL: "http://127.0.0.1:1/v1" });
    for (const at of [running.gateway, nowhere]) {
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
    running.upstream.answerWith(answerWith);
    const answer = await complete(apikey);
    expect([answer.status, (await answer.json()).error.code]).toEqual([502, "upstream_failed"]);
    const held = yuan(sizeOf(), 100);
    await expect.poll(books).toMatchObject({ spent: held, held: 0, ledger: [held] });
  });

  test.each([{}, STREAM])("a client that leaves before anything came: %j", async (more) => {
    const { apikey, books } = await spender();
    const leaving = new AbortController();
    running.upstream.answerWith(() => leaving.abort());
    await expect(complete(apikey, more, { signal: leaving.signal })).rejects.toThrow("abort");
    const held = yuan(sizeOf(more), 100);
    await expect.poll(books).toMatchObject({ spent: held, held: 0, ledger: [held] });
  });
});

test("an authorization whose answer is lost is asked for again, and holds once", async () => {
  const { apikey, books } = await spender();
  let failures = 1;
  running.scene.road.obstacle = (path) => (path === "/v1/authorizations" && failures-- > 0 ? "hangs up" : undefined);
  expect((await complete(apikey)).status).toBe(200);
  await expect.poll(async () => (await books()).authorizations).toHaveLength(1);
});

test("a slash at the end of an address does not count", async () => {
  const { apikey } = await spender();
  const [ALLOWANCE_URL, UPSTREAM_URL] = [`${running.scene.road.url}/`, `${running.upstream.url}/`];
  const gateway = await running.scene.start("slashes.jsonl", { ALLOWANCE_URL, UPSTREAM_URL });
  expect((await complete(apikey, {}, {}, gateway)).status).toBe(200);
  expect(running.upstream.exchanges.at(-1)?.url).toBe("/v1/chat/completions");
  await gateway.stop();
});

test("the models are those that the key may call", async () => {
  const { apikey } = await spender({ budget: 0.001 });
  const cheap = await spender({ input_price_limit: PRICE.input / 2 });
  const list = async (key: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${running.gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
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
  const answer = await fetch(`${running.gateway.url}/v1/audio/speech`, {
    headers: { authorization: `Bearer ${apikey}` },
  });
  expect([answer.status, (await answer.json()).error.code]).toEqual([404, "unknown_url"]);
});

test("a client that hangs up in the middle of its request leaves the gateway serving", async () => {
  const { apikey, books } = await spender();
  const socket = connect(Number(new URL(running.gateway.url).port), "localhost");
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
  await expect.poll(() => running.gateway.output()).toContain('"code":"key_not_found"');
  const journal = await readFile(`${running.scene.folder.path}/outbox.jsonl`, "utf8");
  for (const secret of [apikey, "sk-nonsense", inject("gatewayToken"), UPSTREAM_KEY, PROMPT, "Good morning"])
    expect(running.gateway.output() + journal).not.toContain(secret);
  expect(running.gateway.output()).toContain(`"capture":${COST}`);
});
