import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { runsIntegration } from "../integrations";
import { installNode, installPython } from "../packages";
import { freePort } from "../product";
import { call } from "./client";
import { answerInFormat, chunkOf, TEXT } from "./fake-formats";
import { answerJson, beginStream } from "./fake-upstream";
import { MODEL, newSpender, openScene, PRICE, PROMPT, type Scene, type Spender, UPSTREAM_KEY, yuan } from "./gateway";

const EXAMPLE = resolve("examples/litellm");
const MASTER_KEY = "sk-a-key-of-the-operator-that-opens-nothing";
const INSTALL_MS = 1_800_000;
const RESTART_MS = 600_000;
/** A hold that nothing settles is captured half a minute after this. */
const REQUEST_TIMEOUT_SECONDS = 30;
const DUE = { timeout: 300_000, interval: 1_000 };

const COST = yuan(11, 7, 4);
const BODY = { model: MODEL.name, messages: [{ role: "user" as const, content: PROMPT }], max_tokens: 100 };

/** Calls the proxy with OpenAI's package for Python, and prints an outcome for each of its arguments `[key, call]`. */
const PYTHON_CLIENT = `
import json, openai, sys
outcomes = []
for key, call in json.loads(sys.argv[2]):
    try:
        answer = openai.OpenAI(base_url=sys.argv[1], api_key=key).chat.completions.create(**call)
        parts = [chunk.choices[0].delta.content or "" for chunk in answer if chunk.choices] if call.get("stream") else None
        outcomes.append("".join(parts) if parts else answer.choices[0].message.content)
    except openai.APIStatusError as error:
        outcomes.append([type(error).__name__, error.status_code, error.code])
print(json.dumps(outcomes))
`;
/** Prints how many settlements of calls whose usage is known are in the outbox. */
const KNOWN = `
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM entry WHERE body LIKE '%usage%'").fetchone()[0])
`;

const run = promisify(execFile);

describe.runIf(runsIntegration("LiteLLM proxy"))("LiteLLM proxy", () => {
  let scene: Scene;
  let programs: string;
  let litellm: { process: ChildProcess; url: string; output(): string };
  // biome-ignore lint/suspicious/noExplicitAny: its types are not installed.
  let OpenAI: any;

  const inFolder = (...names: string[]) => join(scene.folder.path, ...names);

  /** The variables of the example's README. */
  const environment = (): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOME: scene.folder.path,
    NODE_ENV: "production",
    PYTHONPATH: EXAMPLE,
    PYTHONPYCACHEPREFIX: inFolder("pycache"),
    LITELLM_LOCAL_MODEL_COST_MAP: "True",
    LITELLM_MASTER_KEY: MASTER_KEY,
    ALLOWANCE_URL: scene.road.url,
    GATEWAY_TOKEN: inject("gatewayToken"),
    OUTBOX_FOLDER: inFolder("outbox"),
  });

  /** Starts the proxy as the example's README says. */
  async function startLiteLlm(): Promise<void> {
    const port = await freePort();
    const args = ["--config", inFolder("config.yaml"), "--host", "127.0.0.1", "--port", port];
    const child = spawn(join(programs, "litellm"), args, { env: environment(), stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    litellm = { process: child, url: `http://127.0.0.1:${port}`, output: () => output };
    const answers = () => fetch(`${litellm.url}/health/liveliness`).then((response) => response.ok);
    while (!(await answers().catch(() => false))) {
      if (child.exitCode !== null) throw new Error(`LiteLLM ended:\n${output}`);
      await delay(100);
    }
  }

  async function killLiteLlm(): Promise<void> {
    const exited = once(litellm.process, "exit");
    litellm.process.kill("SIGKILL");
    await exited;
  }

  beforeAll(async () => {
    scene = await openScene();
    const [ofPython, ofNode] = await Promise.all([
      installPython(scene.folder.path, "-r", join(EXAMPLE, "requirements.txt")),
      installNode(scene.folder.path, "openai@7.57.0"),
    ]);
    if (!ofPython || !ofNode) throw new Error("LiteLLM and the package openai of npm cannot be installed");
    programs = ofPython;
    OpenAI = (await import(pathToFileURL(inFolder("node_modules/openai/index.mjs")).href)).default;
    const models = ["claude", "nowhere", "shaky"].map((name) => ({
      ...{ name, input_price: PRICE.input, output_price: PRICE.output, cached_input_price: PRICE.cached },
    }));
    const { status } = await call("POST", "/v1/models", { key: scene.account.apikey, body: { models } });
    expect(status).toBe(200);
    const deployment = (name: string, model: string, url: string) =>
      `  - {model_name: ${name}, litellm_params: {model: ${model}, api_base: "${url}", api_key: ${UPSTREAM_KEY}, max_retries: 0}}`;
    const example = await readFile(join(EXAMPLE, "config.yaml"), "utf8");
    const { url } = scene.upstream;
    const config = [
      "model_list:",
      deployment(MODEL.name, "openai/far-model", url),
      deployment("claude", "anthropic/far-claude", url.replace("/v1", "")),
      deployment("unpriced", "openai/nobody-knows", url),
      deployment("nowhere", "openai/far-model", "http://127.0.0.1:1/v1"),
      deployment("shaky", "openai/far-model", "http://127.0.0.1:1/v1"),
      `router_settings: {num_retries: 0, fallbacks: [{shaky: [${MODEL.name}]}]}`,
      example
        .slice(example.indexOf("general_settings:"))
        .replace("request_timeout: 600", `request_timeout: ${REQUEST_TIMEOUT_SECONDS}`),
      "  cache: true",
      "  cache_params: {type: local, mode: default_off}",
    ];
    await writeFile(inFolder("config.yaml"), `${config.join("\n")}\n`);
    await startLiteLlm();
  }, INSTALL_MS);

  afterAll(async () => {
    litellm?.process.kill("SIGKILL");
    await scene?.close();
  });

  beforeEach(() => {
    scene.upstream.answerWith(answerInFormat);
    scene.road.obstacle = () => undefined;
  });

  test("the example's own tests pass", async () => {
    const { stderr } = await run(join(programs, "python"), ["-m", "unittest", "discover", "-s", EXAMPLE], {
      env: environment(),
    });
    expect(stderr).toMatch(/^Ran 5 tests in .*\n\nOK$/m);
  });

  const spender = (limits: object = {}) => newSpender(scene.account, limits);

  function post(path: string, apikey: string, body: object, options: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${apikey}`, "content-type": "application/json" };
    return fetch(litellm.url + path, { method: "POST", headers, body: JSON.stringify(body), ...options });
  }

  const complete = (apikey: string, more: object = {}, options: RequestInit = {}) =>
    post("/v1/chat/completions", apikey, { ...BODY, ...more }, options);

  /** Waits until the calls of a key have cost this, in any order, and nothing is held. */
  async function expectCosts({ books }: Spender, costs: number[], options: object = {}): Promise<void> {
    const spent = Number(costs.reduce((sum, cost) => sum + cost, 0).toFixed(9));
    const seen = async () => {
      const { ledger, ...rest } = await books();
      return { ...rest, ledger: ledger.sort() };
    };
    await expect.poll(seen, options).toMatchObject({ spent, held: 0, ledger: [...costs].sort() });
  }

  /** What is held at most by a call of these bytes. */
  const held = (body: object, output: number) => yuan(Buffer.byteLength(JSON.stringify(body)), output);

  test.each([
    ["/v1/chat/completions", BODY, COST],
    ["/v1/chat/completions", { ...BODY, stream: true }, COST],
    ["/v1/completions", { model: MODEL.name, prompt: PROMPT, max_tokens: 100 }, COST],
    ["/v1/completions", { model: MODEL.name, prompt: PROMPT, max_tokens: 100, stream: true }, COST],
    ["/v1/embeddings", { model: MODEL.name, input: PROMPT }, yuan(11, 0)],
    ["/v1/responses", { model: MODEL.name, input: PROMPT, max_output_tokens: 100 }, COST],
    ["/v1/responses", { model: MODEL.name, input: PROMPT, max_output_tokens: 100, stream: true }, COST],
    ["/v1/messages", { ...BODY, model: "claude" }, COST],
    ["/v1/messages", { ...BODY, model: "claude", stream: true }, COST],
    ["/v1/messages", BODY, COST],
    ["/v1/chat/completions", { ...BODY, model: "shaky" }, COST],
  ])(
    "%s holds the most that it may cost, and costs what the catalogue says of its usage: %j",
    async (path, body, cost) => {
      const key = await spender({ budget: 1 });
      const answered = await post(path, key.apikey, body);
      expect([answered.status, await answered.text()]).toEqual([
        200,
        expect.stringMatching(/Good|"embedding":\[0.1,0.2\]/),
      ]);
      await expectCosts(key, [cost]);
      const most = path.endsWith("embeddings") ? 0 : 100;
      expect((await key.books()).authorizations).toMatchObject([{ state: "captured", amount: held(body, most) }]);
      expect(JSON.stringify(scene.upstream.exchanges.at(-1)?.headers)).not.toContain(key.apikey);
    },
  );

  test("OpenAI's clients for Node and Python get answers and streams; a refusal is an error with its code", async () => {
    const [good, poor, bounded, cheap] = [
      await spender({ input_price_limit: PRICE.input, output_price_limit: PRICE.output }),
      await spender({ budget: 0.0001 }),
      await spender({ daily_limit: 0.0001 }),
      await spender({ input_price_limit: PRICE.input - 0.01 }),
    ];
    const client = new OpenAI({ baseURL: `${litellm.url}/v1`, apiKey: good.apikey });
    expect((await client.chat.completions.create(BODY)).choices[0].message.content).toBe(TEXT);
    let text = "";
    for await (const { choices } of await client.chat.completions.create({ ...BODY, stream: true }))
      text += choices[0]?.delta.content ?? "";
    expect(text).toBe(TEXT);
    const asked = () => scene.upstream.exchanges.filter(({ method }) => method === "POST").length;
    const before = asked();
    const calls = [
      [good.apikey, {}, TEXT],
      [good.apikey, { stream: true }, TEXT],
      [poor.apikey, {}, ["APIStatusError", 402, "budget"]],
      [bounded.apikey, {}, ["RateLimitError", 429, "daily_limit"]],
      [cheap.apikey, {}, ["PermissionDeniedError", 403, "input_price_limit"]],
      ["sk-nonsense", {}, ["AuthenticationError", 401, "key_not_found"]],
      [good.apikey, { model: "unpriced" }, ["NotFoundError", 404, "unknown_model"]],
      [good.apikey, { max_tokens: -1 }, ["BadRequestError", 400, "invalid_value"]],
      [good.apikey, { extra_body: { extra_body: { model: "unpriced" } } }, ["BadRequestError", 400, "invalid_value"]],
      [good.apikey, { model: `${MODEL.name},claude` }, ["BadRequestError", 400, "invalid_value"]],
      [good.apikey, { model: "claude", max_tokens: undefined }, ["BadRequestError", 400, "invalid_value"]],
    ] as const;
    const sent = JSON.stringify(calls.map(([apikey, more]) => [apikey, { ...BODY, ...more }]));
    const { stdout } = await run(join(programs, "python"), ["-c", PYTHON_CLIENT, `${litellm.url}/v1`, sent]);
    expect(JSON.parse(stdout)).toEqual(calls.map(([, , outcome]) => outcome));
    await expect(
      new OpenAI({ baseURL: `${litellm.url}/v1`, apiKey: poor.apikey }).chat.completions.create(BODY),
    ).rejects.toMatchObject({ status: 402, code: "budget" });
    expect(asked()).toBe(before + 2);
    await expectCosts(good, [COST, COST, COST, COST]);
  });

  test("a window that is used up is 429 with Retry-After, also in Anthropic's format", async () => {
    const key = await spender({ daily_limit: held(BODY, 100) * 1.1 });
    expect((await complete(key.apikey)).status).toBe(200);
    await expectCosts(key, [COST]);
    const body = { ...BODY, max_tokens: 109 };
    for (const path of ["/v1/chat/completions", "/v1/messages"]) {
      const refused = await post(path, key.apikey, body);
      const [wait, again] = ["retry-after", "x-should-retry"].map((name) => refused.headers.get(name));
      expect([refused.status, again]).toEqual([429, "false"]);
      expect(Number(wait)).toBeGreaterThan(0);
      const { error } = await refused.json();
      expect(error).toMatchObject(path.endsWith("messages") ? { type: "rate_limit_error" } : { code: "daily_limit" });
    }
  });

  test("n answers may cost n times as much; without max_tokens a call may cost the most of the model", async () => {
    const key = await spender();
    for (const more of [{ n: 3 }, { max_tokens: undefined }])
      expect((await complete(key.apikey, more)).status).toBe(200);
    await expectCosts(key, [COST, COST]);
    const most = (await key.books()).authorizations.map(({ amount }) => amount).sort();
    const own = { ...BODY, max_tokens: undefined };
    expect(most).toEqual([held({ ...BODY, n: 3 }, 300), held(own, MODEL.max_output_tokens)].sort());
  });

  test("the models are listed for a key that is good; what cannot be priced is 404, also for LiteLLM's own key", async () => {
    const { apikey } = await spender({ budget: 0.0001 });
    const list = (key: string) => fetch(`${litellm.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    const { data } = await (await list(apikey)).json();
    expect(data.map(({ id }: { id: string }) => id)).toContain(MODEL.name);
    expect((await list("sk-nonsense")).status).toBe(401);
    for (const path of ["/v1/images/generations", "/v1/messages/count_tokens", "/key/generate"])
      for (const key of [apikey, MASTER_KEY]) expect((await post(path, key, {})).status).toBe(404);
  });

  test("an answer from LiteLLM's cache costs nothing", async () => {
    const key = await spender();
    const asked = () => scene.upstream.exchanges.length;
    const before = asked();
    // Until one answer comes without the model.
    for (const stream of [false, true])
      for (let last = -1; last !== asked(); ) {
        last = asked();
        const answered = await complete(key.apikey, { stream, max_tokens: 99, cache: { "use-cache": true } });
        expect(await answered.text()).toContain("morning.");
      }
    await expectCosts(key, Array<number>(asked() - before).fill(COST));
  });

  test("a call that a provider refuses, or that reaches none, is voided; a broken one costs what was held, when it is due", {
    timeout: RESTART_MS,
  }, async () => {
    const [refused, broken, left] = [await spender(), await spender(), await spender()];
    scene.upstream.answerWith(({ response }) => answerJson(response, 400, { error: { message: "no", type: "bad" } }));
    for (const model of [MODEL.name, "claude", "nowhere"])
      expect((await complete(refused.apikey, { model })).status).toBeGreaterThanOrEqual(400);
    scene.upstream.answerWith(({ response }) => response.destroy());
    expect((await complete(broken.apikey)).status).toBe(500);
    scene.upstream.answerWith((exchange) => beginStream(exchange)(chunkOf("Good "), chunkOf("morn")));
    const leaving = new AbortController();
    const stream = (await complete(left.apikey, { stream: true }, { signal: leaving.signal })).body;
    const reader = stream?.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; !text.includes("morn"); ) text += (await reader?.read())?.value;
    leaving.abort();
    await expect.poll(async () => (await left.books()).held).toBe(0);
    const { spent } = await left.books();
    expect(spent).toBeGreaterThan(yuan(1, 2));
    expect(spent).toBeLessThan(held({ ...BODY, stream: true }, 20));
    await expectCosts(refused, []);
    const states = (await refused.books()).authorizations.map(({ state }) => state);
    expect(states).toEqual(["voided", "voided", "voided"]);
    await expectCosts(broken, [held(BODY, 100)], DUE);
    expect(litellm.output()).toContain("captured whole, because what the call has used is not known");
  });

  test("Allowance is away while LiteLLM is killed: what is known is captured once, a call that was under way whole", {
    timeout: RESTART_MS,
  }, async () => {
    const key = await spender({ budget: 1 });
    const unlucky = { ...BODY, max_tokens: 50 };
    let goOn = () => {};
    const released = new Promise<void>((release) => {
      goOn = release;
    });
    const begun = scene.upstream.exchanges.length;
    scene.upstream.answerWith(async (exchange) => {
      await released;
      if (exchange.body?.max_tokens !== unlucky.max_tokens) await answerInFormat(exchange);
    });
    const calls = [complete(key.apikey), complete(key.apikey, { stream: true })];
    const died = post("/v1/chat/completions", key.apikey, unlucky).catch(() => "died");
    await expect.poll(() => scene.upstream.exchanges.length).toBe(begun + 3);
    scene.road.obstacle = () => "hangs up";
    const refused = await complete(key.apikey);
    expect([refused.status, (await refused.json()).error.code]).toEqual([503, "allowance_away"]);
    goOn();
    for (const answered of await Promise.all(calls)) expect(await answered.text()).toContain("morning.");
    const known = () => run(join(programs, "python"), ["-c", KNOWN, inFolder("outbox/outbox.db")]);
    await expect.poll(async () => (await known()).stdout).toBe("2\n");
    await killLiteLlm();
    expect(await died).toBe("died");
    const logged = litellm.output();
    await startLiteLlm();
    expect(await key.books()).toMatchObject({ spent: 0, ledger: [] });
    scene.road.obstacle = () => undefined;
    await expectCosts(key, [COST, COST, held(unlucky, 50)], DUE);
    for (const secret of [key.apikey, "sk-nonsense", inject("gatewayToken"), UPSTREAM_KEY, PROMPT])
      expect(logged + litellm.output()).not.toContain(secret);
  });
});
