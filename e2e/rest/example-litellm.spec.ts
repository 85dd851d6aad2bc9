import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { runsIntegration } from "../integrations";
import { freePort, type Product, startProduct, type TemporaryFolder, temporaryFolder } from "../product";
import { type Account, call, database, newAccount, newKey } from "./client";
import { answerJson, beginStream, type FakeUpstream, startUpstream, USAGE } from "./fake-upstream";

const EXAMPLE = resolve("examples/litellm");
const OPENAI_FOR_NODE = "openai@7.57.0";
/** LiteLLM needs 3.10 or newer, and wheels of all its packages are sure to be there for 3.11. */
const PYTHONS = ["python3.11", "python3.12", "python3.13", "python3"];
const UPSTREAM_KEY = "upstream-key-of-the-operator";
const MASTER_KEY = "sk-a-key-of-the-operator-that-opens-nothing";
const PROMPT = "Say good morning, in secret.";
const MESSAGES = [{ role: "user" as const, content: PROMPT }];
/** Yuan per million tokens: 1 and 3 dollars at 7.2. */
const PRICE = { input: 7.2, output: 21.6 };
const MAX_OUTPUT_TOKENS = 4096;
const COST = yuan(USAGE.prompt_tokens, USAGE.completion_tokens);
const INSTALL_MS = 900_000;
const RESTART_MS = 600_000;

const python = PYTHONS.find((name) => spawnSync(name, ["-c", "import ensurepip, venv"]).status === 0);
const runs = runsIntegration("LiteLLM proxy") && (python !== undefined || noPython());

function noPython(): false {
  console.log("skipped: LiteLLM proxy. No Python with venv is on PATH.");
  return false;
}

function yuan(promptTokens: number, completionTokens: number): number {
  return Number(((promptTokens * PRICE.input + completionTokens * PRICE.output) / 1e6).toFixed(9));
}

/** What a client of OpenAI makes of an answer or an error. */
interface Outcome {
  text?: string;
  error?: string;
  status?: number;
  code?: string;
}

/** Calls the proxy with OpenAI's package for Python, and prints an outcome for each of its arguments `[key, more]`. */
const PYTHON_CLIENT = `
import json, openai, sys
outcomes = []
for key, more in json.loads(sys.argv[2]):
    client = openai.OpenAI(base_url=sys.argv[1], api_key=key)
    try:
        answer = client.chat.completions.create(**more)
        if more.get("stream"):
            text = "".join(chunk.choices[0].delta.content or "" for chunk in answer if chunk.choices)
        else:
            text = answer.choices[0].message.content
        outcomes.append({"text": text})
    except openai.APIStatusError as error:
        outcomes.append({"error": type(error).__name__, "status": error.status_code, "code": error.code})
print(json.dumps(outcomes))
`;

describe.skipIf(!runs)("LiteLLM proxy", () => {
  let folder: TemporaryFolder;
  let account: Account;
  let upstream: FakeUpstream;
  let allowance: Product;
  let litellm: LiteLlm;
  let port: string;
  // biome-ignore lint/suspicious/noExplicitAny: its types are not installed.
  let OpenAI: any;

  interface LiteLlm {
    process: ChildProcess;
    url: string;
    output(): string;
    /** Ends it as a crash does. */
    kill(): Promise<void>;
  }

  const inFolder = (...names: string[]) => join(folder.path, ...names);

  const startAllowance = async () => {
    const env = { DATABASE_URL: inject("databaseUrl"), PORT: port, GATEWAY_TOKENS: inject("gatewayToken") };
    allowance = await startProduct({ env: { ...env, LOG_LEVEL: "error" } });
  };

  const killAllowance = async () => {
    const exited = once(allowance.process, "exit");
    allowance.process.kill("SIGKILL");
    await exited;
  };

  /** The variables of the example's README. */
  const environmentOf = (outbox: string): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOME: folder.path,
    NODE_ENV: "production",
    PYTHONPATH: EXAMPLE,
    PYTHONDONTWRITEBYTECODE: "1",
    LITELLM_LOCAL_MODEL_COST_MAP: "True",
    LITELLM_MASTER_KEY: MASTER_KEY,
    ALLOWANCE_URL: `http://localhost:${port}`,
    GATEWAY_TOKEN: inject("gatewayToken"),
    YUAN_PER_USD: "7.2",
    OUTBOX_FOLDER: inFolder(outbox),
  });

  /** Starts the proxy as the example's README says, with models of the fake service. */
  const startLiteLlm = async (): Promise<LiteLlm> => {
    const litellmPort = await freePort();
    const child = spawn(
      inFolder("venv/bin/litellm"),
      ["--config", inFolder("config.yaml"), "--host", "127.0.0.1", "--port", litellmPort],
      {
        env: environmentOf("outbox"),
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    const exited = once(child, "exit");
    const url = `http://127.0.0.1:${litellmPort}`;
    const isUp = async () => {
      if (child.exitCode !== null) throw new Error(`LiteLLM ended:\n${output}`);
      return await fetch(`${url}/health/liveliness`).then(
        ({ ok }) => ok,
        () => false,
      );
    };
    while (!(await isUp())) await delay(100);
    const kill = async () => {
      child.kill("SIGKILL");
      await exited;
    };
    return { process: child, url, output: () => output, kill };
  };

  beforeAll(async () => {
    [folder, account, upstream, port] = await Promise.all([
      temporaryFolder(),
      newAccount(),
      startUpstream(),
      freePort(),
    ]);
    const run = promisify(execFile);
    await run(python ?? "", ["-m", "venv", inFolder("venv")]);
    await Promise.all([
      run(inFolder("venv/bin/pip"), ["install", "-q", "-r", join(EXAMPLE, "requirements.txt")]),
      run("npm", ["install", "--no-audit", "--no-fund", "--prefix", inFolder("node"), OPENAI_FOR_NODE]),
      startAllowance(),
    ]);
    OpenAI = (await import(pathToFileURL(inFolder("node/node_modules/openai/index.mjs")).href)).default;
    const deployment = (model: string) => `model: openai/${model}, api_base: ${upstream.url}, api_key: ${UPSTREAM_KEY}`;
    const example = await readFile(join(EXAMPLE, "config.yaml"), "utf8");
    await writeFile(
      inFolder("config.yaml"),
      `model_list:
  - model_name: priced
    litellm_params: {${deployment("far-model")}, max_retries: 0}
    model_info: {input_cost_per_token: 0.000001, output_cost_per_token: 0.000003, max_output_tokens: ${MAX_OUTPUT_TOKENS}}
  - model_name: unpriced
    litellm_params: {${deployment("nobody-knows")}}
router_settings: {num_retries: 0}
${example.slice(example.indexOf("general_settings:"))}
  cache: true
  cache_params: {type: local, mode: default_off}
`,
    );
    litellm = await startLiteLlm();
  }, INSTALL_MS);

  afterAll(async () => {
    await litellm?.kill();
    await upstream?.close();
    await allowance?.stop();
    await folder?.remove();
  });

  beforeEach(() => upstream.answerWith(answer));

  /** The fake service: whole or as a stream, as it is asked. */
  async function answer(exchange: Parameters<typeof beginStream>[0]): Promise<void> {
    const { model, stream } = exchange.body ?? {};
    if (!stream) {
      const message = { role: "assistant", content: "Good morning." };
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      return answerJson(exchange.response, 200, { id: "c1", object: "chat.completion", model, choices, usage: USAGE });
    }
    await beginStream(exchange)(part("Good "), part("morning."), part("", "stop"), part(undefined), "data: [DONE]\n\n");
    exchange.response.end();
  }

  /** A part of a stream; the one with the usage is without content. */
  function part(content: string | undefined, finish_reason: string | null = null): string {
    const choices = content === undefined ? [] : [{ index: 0, delta: { role: "assistant", content }, finish_reason }];
    const usage = content === undefined ? USAGE : null;
    return `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "far-model", choices, usage })}\n\n`;
  }

  const BODY = { model: "priced", messages: MESSAGES, max_tokens: 100 };

  /** Calls the proxy with OpenAI's package for Node. */
  async function complete(apikey: string, more: object = {}): Promise<Outcome> {
    try {
      const client = new OpenAI({ baseURL: `${litellm.url}/v1`, apiKey: apikey });
      const got = await client.chat.completions.create({ ...BODY, ...more });
      if (!("stream" in more)) return { text: got.choices[0].message.content };
      let text = "";
      for await (const chunk of got) text += chunk.choices[0]?.delta.content ?? "";
      return { text };
    } catch (error) {
      if (!(error instanceof OpenAI.APIError)) throw error;
      const { status, code } = error as { status: number; code: string };
      return { status, code };
    }
  }

  async function completeInPython(...calls: (readonly [apikey: string, more: object])[]): Promise<Outcome[]> {
    const sent = JSON.stringify(calls.map(([apikey, more]) => [apikey, { ...BODY, ...more }]));
    const client = [inFolder("venv/bin/python"), ["-c", PYTHON_CLIENT, `${litellm.url}/v1`, sent]] as const;
    return JSON.parse((await promisify(execFile)(...client)).stdout);
  }

  async function booksOf(id: string) {
    const { body } = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
    const { rows } = await database.pool.query<{ amount: number; state: string; captured: number | null }>(
      `SELECT amount::float8, state, captured::float8 FROM "authorization" WHERE account_id = $1 AND key_id = $2`,
      [account.account_id, id],
    );
    return {
      spent: body.spent,
      held: body.held,
      calls: rows.map(({ state, captured }) => (state === "captured" ? captured : state)),
      most: rows.map(({ amount }) => amount),
    };
  }

  /** Waits until the books of a key have these calls: what was captured, or else the state. */
  async function expectCalls(id: string, calls: (number | string)[]): Promise<void> {
    const spent = calls.reduce<number>((sum, one) => sum + (typeof one === "number" ? one : 0), 0);
    await expect.poll(async () => (await booksOf(id)).calls.sort(), { timeout: 60_000 }).toEqual([...calls].sort());
    expect(await booksOf(id)).toMatchObject({ spent: Number(spent.toFixed(9)), held: 0 });
  }

  /** The requests for completions that have reached the fake service. */
  const passed = () => upstream.exchanges.filter(({ method }) => method === "POST").length;

  /** A promise, and what fulfils it. */
  function signal() {
    let give = () => {};
    const given = new Promise<void>((resolve) => {
      give = resolve;
    });
    return { give, given };
  }

  test("the example's own tests of holds and of the outbox pass", async () => {
    const run = promisify(execFile)(inFolder("venv/bin/python"), ["-m", "unittest", "discover", "-s", EXAMPLE], {
      env: environmentOf("unused"),
    });
    expect((await run).stderr).toMatch(/^Ran 10 tests in .*\n\nOK$/m);
  });

  test("OpenAI's clients get answers, whole and as streams; what they cost is captured, to the last decimal", async () => {
    const { apikey, id } = await newKey(account, { budget: 1, input_price_limit: 7.2, output_price_limit: 21.6 });
    const good = { text: "Good morning." };
    expect([await complete(apikey), await complete(apikey, { stream: true })]).toEqual([good, good]);
    expect(await completeInPython([apikey, {}], [apikey, { stream: true }])).toEqual([good, good]);
    await expectCalls(id, [COST, COST, COST, COST]);
    // The body that the client sends is a little longer than the prompt; each of its bytes counts as a token.
    for (const most of (await booksOf(id)).most) {
      expect(most).toBeGreaterThan(yuan(PROMPT.length, 100));
      expect(most).toBeLessThan(yuan(200, 100));
    }
    const { headers, body } = upstream.exchanges.at(-4) ?? {};
    expect(headers?.authorization).toBe(`Bearer ${UPSTREAM_KEY}`);
    expect(body).toEqual({ ...BODY, model: "far-model" });
  });

  test("the most that a call may cost: n answers; the model's own most where no number is sent", async () => {
    const { apikey, id } = await newKey(account);
    await complete(apikey, { n: 3 });
    await complete(apikey, { max_tokens: undefined });
    await expectCalls(id, [COST, COST]);
    const [three, own] = (await booksOf(id)).most.sort((one, other) => one - other);
    expect(three).toBeGreaterThan(yuan(0, 300));
    expect(own).toBeGreaterThan(yuan(0, MAX_OUTPUT_TOKENS));
  });

  test("refusals are errors of OpenAI's clients, with a code; no call is made, none is repeated", async () => {
    const before = passed();
    const poor = await newKey(account, { budget: 0.0001 });
    const spentToday = await newKey(account, { daily_limit: 0.0001 });
    const cheap = await newKey(account, { input_price_limit: 7.19 });
    const rich = await newKey(account);
    const disabled = await newKey(account);
    await call("POST", `/v1/apikeys/${disabled.id}/disable`, { key: account.apikey, body: {} });
    const cases = [
      [poor.apikey, {}, { error: "APIStatusError", status: 402, code: "budget" }],
      [spentToday.apikey, {}, { error: "RateLimitError", status: 429, code: "daily_limit" }],
      [cheap.apikey, {}, { error: "PermissionDeniedError", status: 403, code: "input_price_limit" }],
      [disabled.apikey, {}, { error: "AuthenticationError", status: 401, code: "key_disabled" }],
      ["sk-nonsense", {}, { error: "AuthenticationError", status: 401, code: "key_not_found" }],
      [rich.apikey, { model: "unpriced" }, { error: "NotFoundError", status: 404, code: "unknown_model" }],
      [rich.apikey, { model: "nowhere" }, { error: "NotFoundError", status: 404, code: "unknown_model" }],
      [rich.apikey, { max_tokens: -1 }, { error: "BadRequestError", status: 400, code: "invalid_value" }],
    ] as const;
    const inPython = await completeInPython(...cases.map(([apikey, more]) => [apikey, more] as const));
    expect(inPython).toEqual(cases.map(([, , outcome]) => outcome));
    for (const [apikey, more, { status, code }] of cases)
      expect(await complete(apikey, more)).toMatchObject({ status, code });
    expect(passed()).toBe(before);
    for (const { id } of [poor, spentToday, cheap, rich, disabled]) await expectCalls(id, []);
    const elsewhere = (apikey: string, path: string) =>
      fetch(litellm.url + path, { method: "POST", headers: { authorization: `Bearer ${apikey}` }, body: "{}" });
    for (const path of ["/v1/images/generations", "/v1/responses", "/key/generate"])
      for (const apikey of [rich.apikey, MASTER_KEY]) expect((await elsewhere(apikey, path)).status).toBe(404);
  });

  test("the models are listed for a key that is good", async () => {
    const { apikey } = await newKey(account, { budget: 0.0001 });
    const list = (key: string) => fetch(`${litellm.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    const { data } = await (await list(apikey)).json();
    expect(data.map(({ id }: { id: string }) => id)).toEqual(["priced", "unpriced"]);
    expect((await list("sk-nonsense")).status).toBe(401);
  });

  test("an answer from LiteLLM's cache costs nothing", async () => {
    const { apikey, id } = await newKey(account);
    const before = passed();
    // Until one answer comes without the model.
    for (const more of [{}, { stream: true }])
      for (let reached = -1; reached !== passed(); ) {
        reached = passed();
        const answered = await complete(apikey, { ...more, max_tokens: 99, cache: { "use-cache": true } });
        expect(answered).toEqual({ text: "Good morning." });
      }
    await expectCalls(id, [...Array<number>(passed() - before).fill(COST), "voided", "voided"]);
  });

  test("a failure of the model is voided; a stream that breaks, or whose caller leaves, is captured as far as it came", async () => {
    const failed = await newKey(account);
    upstream.answerWith(({ response }) => answerJson(response, 400, { error: { message: "no", type: "bad" } }));
    expect(await complete(failed.apikey)).toMatchObject({ status: 400 });
    await expectCalls(failed.id, ["voided"]);

    const stream = async (apikey: string, onText: (text: string) => void) => {
      const client = new OpenAI({ baseURL: `${litellm.url}/v1`, apiKey: apikey, maxRetries: 0 });
      const answered = await client.chat.completions.create({ ...BODY, stream: true });
      for await (const chunk of answered) {
        onText(chunk.choices[0].delta.content);
        if (chunk.choices[0].delta.content === "leave") break;
      }
    };
    const seen = signal();
    upstream.answerWith(async (exchange) => {
      await beginStream(exchange)(part("Good "), part("morning"));
      await seen.given;
      exchange.response.destroy();
    });
    const broken = await newKey(account);
    await expect(stream(broken.apikey, (text) => text === "morning" && seen.give())).rejects.toThrow();
    await expect.poll(async () => (await booksOf(broken.id)).held, { timeout: 60_000 }).toBe(0);

    upstream.answerWith(async (exchange) => {
      await beginStream(exchange)(part("Good "), part("leave"));
    });
    const left = await newKey(account);
    await stream(left.apikey, () => {});
    await expect.poll(async () => (await booksOf(left.id)).held, { timeout: 60_000 }).toBe(0);

    for (const { id } of [broken, left]) {
      const { spent, most } = await booksOf(id);
      expect(spent).toBeGreaterThan(yuan(1, 2));
      expect(spent).toBeLessThan(most[0] ?? 0);
    }
  });

  test("Allowance dies during a call, and comes back: the capture arrives; meanwhile no other call passes", async () => {
    const { apikey, id } = await newKey(account, { budget: 1 });
    const [asked, goOn] = [signal(), signal()];
    upstream.answerWith(async (exchange) => {
      asked.give();
      await goOn.given;
      await answer(exchange);
    });
    const called = complete(apikey);
    await asked.given;
    await killAllowance();
    const before = passed();
    const client = new OpenAI({ baseURL: `${litellm.url}/v1`, apiKey: apikey, maxRetries: 0 });
    await expect(client.chat.completions.create(BODY)).rejects.toMatchObject({ status: 503, code: "allowance_away" });
    expect(passed()).toBe(before);
    goOn.give();
    expect(await called).toEqual({ text: "Good morning." });
    expect((await booksOf(id)).calls).toEqual(["held"]);
    await startAllowance();
    await expectCalls(id, [COST]);
  });

  test("LiteLLM dies after its answers while Allowance is away, and both come back: captured once; a call it died in is voided", {
    timeout: RESTART_MS,
  }, async () => {
    const { apikey, id } = await newKey(account, { budget: 1 });
    const [first, second, third] = [signal(), signal(), signal()];
    const goOn = signal();
    const asked = [first, second, third];
    upstream.answerWith(async (exchange) => {
      const { give } = asked.shift() ?? signal();
      give();
      await goOn.given;
      // One call gets no answer in the life of this proxy.
      if (exchange.body.max_tokens === BODY.max_tokens) await answer(exchange);
    });
    const calls = [complete(apikey), complete(apikey, { stream: true })];
    const unlucky = complete(apikey, { max_tokens: 50 }).catch(() => "died");
    await Promise.all([first.given, second.given, third.given]);
    await killAllowance();
    goOn.give();
    const good = { text: "Good morning." };
    expect(await Promise.all(calls)).toEqual([good, good]);
    // At once: what counts is on the disk before the answer is whole.
    await litellm.kill();
    upstream.answerWith(({ response }) => response.destroy());
    await unlucky;
    const logged = litellm.output();
    litellm = await startLiteLlm();
    expect((await booksOf(id)).calls).toEqual(["held", "held", "held"]);
    await startAllowance();
    await expectCalls(id, [COST, COST, "voided"]);
    expect(litellm.output()).toContain("voided, because the worker ended during the call");
    expect((await readdir(inFolder("outbox"))).filter((name) => name.endsWith(".lock"))).toHaveLength(1);
    for (const secret of [apikey, "sk-nonsense", inject("gatewayToken"), UPSTREAM_KEY, PROMPT])
      expect(logged + litellm.output()).not.toContain(secret);
  });
});
