import { describe, expect, test } from "vitest";
import { COST, STREAM, sizeOf } from "./completions";
import {
  answerJson,
  answerWhole,
  beginStream,
  DONE_EVENT,
  eventOf,
  type FakeUpstream,
  USAGE_EVENT,
} from "./fake-upstream";
import { yuan } from "./gateway";
import { RunningGateway } from "./running-gateway";

const running = new RunningGateway();
const { spender, complete } = running;

describe("a stream", () => {
  test("arrives event by event, before its end; its usage is captured", async () => {
    const { apikey, books } = await spender({ budget: 1 });
    let goOn = () => {};
    const seen = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    running.upstream.answerWith(async (exchange) => {
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
    expect(running.upstream.exchanges.at(-1)?.body.stream_options).toEqual({ include_usage: true });
    await expect.poll(books).toMatchObject({ spent: COST, held: 0, ledger: [COST] });
  });

  test("has the usage in it where the caller asks for it", async () => {
    const { apikey } = await spender();
    running.upstream.answerWith(async (exchange) => {
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
    running.upstream.answerWith(async (exchange) => {
      await beginStream(exchange)(text, USAGE_EVENT, DONE_EVENT);
      exchange.response.end();
    });
    expect(await (await complete(apikey, STREAM)).text()).toBe(text + DONE_EVENT);
    await expect.poll(async () => (await books()).ledger).toEqual([COST]);
  });

  test("that the client leaves in the middle: the upstream is let go, what came is captured, nothing stays held", async () => {
    const { apikey, books } = await spender();
    const left = new Promise((resolve) => {
      running.upstream.answerWith(async (exchange) => {
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
    running.upstream.answerWith(async (exchange) => {
      await beginStream(exchange)(eventOf("Good "));
      exchange.response.destroy();
    });
    const answer = await complete(apikey, STREAM);
    await expect(answer.text()).rejects.toThrow();
    const cost = yuan(sizeOf(STREAM), 5);
    await expect.poll(books).toMatchObject({ spent: cost, held: 0, ledger: [cost] });
  });
});

describe("an upstream that is busy", () => {
  /** Answers the first calls with this, and all after them whole. */
  const busyFor = (times: number, first: Parameters<FakeUpstream["answerWith"]>[0]) => {
    let left = times;
    running.upstream.answerWith((exchange) => (left-- > 0 ? first(exchange) : answerWhole(exchange)));
  };

  test.each<[string, Parameters<FakeUpstream["answerWith"]>[0]]>([
    ["429 with Retry-After", ({ response }) => answerJson(response.setHeader("retry-after", "1"), 429, {})],
    ["529", ({ response }) => answerJson(response, 529, {})],
    ["no answer", ({ response }) => response.destroy()],
  ])("%s: is asked again, and the call is paid for once", async (_, first) => {
    const { apikey, books } = await spender();
    const before = running.upstream.exchanges.length;
    busyFor(1, first);
    expect((await complete(apikey)).status).toBe(200);
    expect(running.upstream.exchanges.length).toBe(before + 2);
    await expect.poll(books).toMatchObject({ spent: COST, held: 0, ledger: [COST], authorizations: [{}] });
  });

  test("for too long: the caller gets its last answer, with Retry-After", async () => {
    const { apikey, books } = await spender();
    const before = running.upstream.exchanges.length;
    busyFor(9, ({ response }) => answerJson(response, 503, { error: { message: "overloaded" } }));
    expect((await complete(apikey)).status).toBe(503);
    expect(running.upstream.exchanges.length).toBe(before + 3);
    busyFor(9, ({ response }) => answerJson(response.setHeader("retry-after", "60"), 429, {}));
    const answer = await complete(apikey);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(running.upstream.exchanges.length).toBe(before + 4);
    await expect.poll(books).toMatchObject({ spent: 0, held: 0 });
  });

  test("a stream that has begun is not begun again", async () => {
    const { apikey } = await spender();
    const before = running.upstream.exchanges.length;
    busyFor(1, async (exchange) => {
      await beginStream(exchange)(eventOf("Good "));
      exchange.response.destroy();
    });
    await expect((await complete(apikey, STREAM)).text()).rejects.toThrow();
    expect(running.upstream.exchanges.length).toBe(before + 1);
  });
});
