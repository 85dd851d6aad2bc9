import { describe, expect, test } from "vitest";
import { call } from "./client";
import { answerJson } from "./fake-upstream";
import { MODEL, PRICE } from "./gateway";
import { RunningGateway } from "./running-gateway";

const running = new RunningGateway();
const { spender, complete } = running;

describe("refusals", () => {
  const refused = async (apikey: string, more: object = {}) => {
    const asked = running.upstream.exchanges.length;
    const answer = await complete(apikey, more);
    const { error } = await answer.json();
    expect(running.upstream.exchanges.length).toBe(asked);
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
    running.upstream.answerWith(({ response }) => answerJson(response, 200, { choices: [], usage }));
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
    await call("POST", `/v1/apikeys/${id}/disable`, { key: running.scene.account.apikey, body: {} });
    expect(await refused(apikey)).toMatchObject({ status: 401, code: "key_disabled" });
    expect(await refused("sk-nonsense")).toMatchObject({ status: 401, code: "key_not_found" });
    const none = await fetch(`${running.gateway.url}/v1/chat/completions`, { method: "POST", body: "{}" });
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
    const headers = { authorization: `Bearer ${apikey}` };
    const cut = await fetch(`${running.gateway.url}/v1/chat/completions`, { method: "POST", headers, body: "{" });
    expect([cut.status, (await cut.json()).error.message]).toEqual([400, expect.stringContaining("JSON")]);
  });

  test("503 while Allowance is away, and while it does not know the gateway; no call is made, the log says why", async () => {
    const { apikey } = await spender();
    const logged = (why: string) =>
      expect.poll(() => running.gateway.output()).toContain(`"error":"Allowance: ${why}"`);
    running.scene.road.obstacle = () => "hangs up";
    expect(await refused(apikey)).toMatchObject({ status: 503, code: "allowance_away", retry: "true" });
    await logged("no answer ECONNRESET");
    running.scene.road.obstacle = () => undefined;
    running.scene.road.authorization = "Bearer nobodys-token";
    expect(await refused(apikey)).toMatchObject({ status: 503, code: "allowance_away" });
    running.scene.road.authorization = undefined;
    await logged("401 API key missing or invalid");
  });
});
