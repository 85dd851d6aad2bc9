import { describe, expect, test } from "vitest";
import { answerJson, beginStream, type Exchange } from "./fake-upstream";
import { MODEL, PROMPT, UPSTREAM_KEY, yuan } from "./gateway";
import { RunningGateway } from "./running-gateway";

const running = new RunningGateway();
const { spender } = running;

const asked = () => running.upstream.exchanges.at(-1);
const eventsOf = (events: { type: string }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

/** Answers each call with these events, and then breaks off or ends. */
function answerEvents(
  events: { type: string }[],
  end: (exchange: Exchange) => unknown = ({ response }) => response.end(),
) {
  running.upstream.answerWith(async (exchange) => {
    await beginStream(exchange)(...eventsOf(events));
    await end(exchange);
  });
}

function post(path: string, headers: Record<string, string>, body: object): Promise<Response> {
  return fetch(running.gateway.url + path, { method: "POST", headers, body: JSON.stringify(body) });
}

describe("POST /v1/messages, as Anthropic's clients send it", () => {
  const BODY = { model: MODEL.name, max_tokens: 100, messages: [{ role: "user", content: PROMPT }] };
  const VERSION = { "anthropic-version": "2023-06-01" };
  /** Of 60 tokens of input, 30 were read from the cache and 20 written to it. */
  const USAGE = { input_tokens: 10, cache_read_input_tokens: 30, cache_creation_input_tokens: 20, output_tokens: 7 };
  const COST = yuan(60, 7, 30);
  const send = (apikey: string, more: object = {}) =>
    post("/v1/messages", { "x-api-key": apikey, ...VERSION }, { ...BODY, ...more });
  const sizeOf = (more: object = {}) => Buffer.byteLength(JSON.stringify({ ...BODY, ...more }));

  const START = { type: "message_start", message: { id: "m1", usage: { ...USAGE, output_tokens: 1 } } };
  const DELTA = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Good m\u00f6rning." } };
  const END = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } };
  const STOP = { type: "message_stop" };

  test("an answer in one piece: cached input has its price, and the service gets its own key", async () => {
    const { apikey, books } = await spender({ budget: 1 });
    const message = { id: "m1", type: "message", content: [{ type: "text", text: "Good morning." }], usage: USAGE };
    running.upstream.answerWith(({ response }) => answerJson(response, 200, message));
    const answer = await send(apikey);
    expect([answer.status, await answer.json()]).toEqual([200, message]);
    expect(asked()).toMatchObject({
      url: "/v1/messages",
      body: BODY,
      headers: { "x-api-key": UPSTREAM_KEY, ...VERSION },
    });
    expect(asked()?.headers.authorization).toBeUndefined();
    await expect.poll(books).toEqual({
      spent: COST,
      held: 0,
      ledger: [COST],
      authorizations: [{ state: "captured", amount: yuan(sizeOf(), 100), captured: COST }],
    });
  });

  test("a stream comes through event by event, and its usage is captured", async () => {
    const { apikey, books } = await spender();
    const events = [START, DELTA, END, STOP];
    answerEvents(events);
    const answer = await send(apikey, { stream: true });
    expect(await answer.text()).toBe(eventsOf(events).join(""));
    await expect.poll(async () => (await books()).ledger).toEqual([COST]);
  });

  test("a stream that breaks off: its input is known, its output is a token a byte", async () => {
    const { apikey, books } = await spender();
    answerEvents([START, DELTA], ({ response }) => response.destroy());
    await expect((await send(apikey, { stream: true })).text()).rejects.toThrow();
    await expect
      .poll(async () => (await books()).ledger)
      .toEqual([yuan(60, Buffer.byteLength("Good m\u00f6rning."), 30)]);
  });

  test("an error in place of a stream is voided", async () => {
    const { apikey, books } = await spender();
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    answerEvents([error]);
    expect(await (await send(apikey, { stream: true })).text()).toBe(eventsOf([error]).join(""));
    await expect.poll(books).toMatchObject({ spent: 0, held: 0, authorizations: [{ state: "voided" }] });
  });

  test("refusals have its form, with Allowance's code", async () => {
    const { apikey } = await spender({ budget: 0.0001 });
    const refused = async (key: string, more: object = {}) => {
      const answer = await send(key, more);
      return [answer.status, await answer.json()];
    };
    const errorOf = (type: string, code: string) => ({
      type: "error",
      error: { type, code, message: expect.any(String) },
    });
    expect(await refused(apikey)).toEqual([402, errorOf("billing_error", "budget")]);
    expect(await refused("sk-nonsense")).toEqual([401, errorOf("authentication_error", "key_not_found")]);
    expect(await refused(apikey, { model: "gpt-0" })).toEqual([404, errorOf("not_found_error", "unknown_model")]);
    expect(await refused(apikey, { max_tokens: undefined })).toEqual([
      400,
      errorOf("invalid_request_error", "invalid_value"),
    ]);
  });
});

describe("POST /v1/responses", () => {
  const BODY = { model: MODEL.name, input: PROMPT, max_output_tokens: 100 };
  const USAGE = { input_tokens: 50, input_tokens_details: { cached_tokens: 40 }, output_tokens: 7 };
  const send = (apikey: string, more: object = {}) =>
    post("/v1/responses", { authorization: `Bearer ${apikey}` }, { ...BODY, ...more });

  test("an answer in one piece, and a stream", async () => {
    const { apikey, books } = await spender();
    running.upstream.answerWith(({ response }) => answerJson(response, 200, { id: "r1", usage: USAGE, error: null }));
    expect((await send(apikey)).status).toBe(200);
    const events = [
      { type: "response.created", response: { id: "r1", usage: null } },
      { type: "response.output_text.delta", delta: "Good morning." },
      { type: "response.completed", response: { id: "r1", usage: USAGE } },
    ];
    answerEvents(events);
    expect(await (await send(apikey, { stream: true })).text()).toBe(eventsOf(events).join(""));
    expect(asked()?.body.stream_options).toBeUndefined();
    const cost = yuan(50, 7, 40);
    await expect.poll(async () => (await books()).ledger).toEqual([cost, cost]);
  });

  test("one in the background, whose usage would come later, is 400", async () => {
    const { apikey } = await spender();
    const answer = await send(apikey, { background: true });
    expect([answer.status, (await answer.json()).error.code]).toEqual([400, "invalid_value"]);
  });
});

test("POST /v1/embeddings costs its input", async () => {
  const { apikey, books } = await spender();
  const body = { model: MODEL.name, input: PROMPT };
  const embeddings = { object: "list", data: [], usage: { prompt_tokens: 9, total_tokens: 9 } };
  running.upstream.answerWith(({ response }) => answerJson(response, 200, embeddings));
  const answer = await post("/v1/embeddings", { authorization: `Bearer ${apikey}` }, body);
  expect([answer.status, await answer.json()]).toEqual([200, embeddings]);
  const held = yuan(Buffer.byteLength(JSON.stringify(body)), 0);
  await expect
    .poll(books)
    .toMatchObject({ authorizations: [{ state: "captured", amount: held, captured: yuan(9, 0) }] });
});

test("a service that has no address and key here is 404", async () => {
  const { apikey } = await spender();
  const other = await running.scene.start("openai-only.jsonl", { ANTHROPIC_KEY: "" });
  const headers = { authorization: `Bearer ${apikey}` };
  const answer = await fetch(`${other.url}/v1/messages`, { method: "POST", headers, body: "{}" });
  expect([answer.status, (await answer.json()).error.code]).toEqual([404, "unknown_url"]);
  await other.stop();
});
