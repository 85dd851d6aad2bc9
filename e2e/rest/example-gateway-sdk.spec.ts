import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { json } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { runsIntegration } from "../integrations";
import { installNode, installPython } from "../packages";
import { answerWhole, beginStream, DONE_EVENT, type Exchange, eventOf, USAGE, USAGE_EVENT } from "./fake-upstream";
import { MODEL, yuan } from "./gateway";
import { RunningGateway } from "./running-gateway";

/** Each test installs its client. */
const TEN_MINUTES_MS = 600_000;
const COST = yuan(USAGE.prompt_tokens, USAGE.completion_tokens);

/** Each program makes a call, a stream, and a call with a key that has nothing left, and prints what it saw in JSON. */
const OPENAI_NODE = `
import OpenAI from "openai";
const [baseURL, apiKey, emptyKey, model] = process.argv.slice(2);
const call = { model, max_tokens: 100, messages: [{ role: "user", content: "Good morning!" }] };
const client = new OpenAI({ baseURL, apiKey });
const whole = (await client.chat.completions.create(call)).choices[0].message.content;
let streamed = "";
for await (const { choices } of await client.chat.completions.create({ ...call, stream: true }))
  streamed += choices[0]?.delta.content ?? "";
const error = await new OpenAI({ baseURL, apiKey: emptyKey }).chat.completions.create(call).catch((error) => error);
console.log(JSON.stringify({ whole, streamed, error: [error.status, error.code] }));`;

const ANTHROPIC_NODE = `
import Anthropic from "@anthropic-ai/sdk";
const [url, apiKey, emptyKey, model] = process.argv.slice(2);
const baseURL = url.replace("/v1", "");
const call = { model, max_tokens: 100, messages: [{ role: "user", content: "Good morning!" }] };
const client = new Anthropic({ baseURL, apiKey });
const whole = (await client.messages.create(call)).content[0].text;
const streamed = await client.messages.stream(call).finalText();
const error = await new Anthropic({ baseURL, apiKey: emptyKey }).messages.create(call).catch((error) => error);
console.log(JSON.stringify({ whole, streamed, error: [error.status, error.error.error.code] }));`;

const OPENAI_PYTHON = `
import json, sys
from openai import APIStatusError, OpenAI
base_url, api_key, empty_key, model = sys.argv[1:]
call = dict(model=model, max_tokens=100, messages=[dict(role="user", content="Good morning!")])
client = OpenAI(base_url=base_url, api_key=api_key)
whole = client.chat.completions.create(**call).choices[0].message.content
events = client.chat.completions.create(**call, stream=True)
streamed = "".join(event.choices[0].delta.content or "" for event in events if event.choices)
try:
    OpenAI(base_url=base_url, api_key=empty_key).chat.completions.create(**call)
except APIStatusError as error:
    print(json.dumps(dict(whole=whole, streamed=streamed, error=[error.status_code, error.code])))
`;

const isRun = runsIntegration("the clients openai and @anthropic-ai/sdk through the example gateway");
const running = new RunningGateway();
const { spender } = running;

/** Answers as OpenAI does. */
async function answerOpenAi(exchange: Exchange): Promise<void> {
  if (!exchange.body.stream) return answerWhole(exchange);
  await beginStream(exchange)(eventOf("Good "), eventOf("morning."), USAGE_EVENT, DONE_EVENT);
  exchange.response.end();
}

/** Answers as Anthropic does. */
async function answerAnthropic(exchange: Exchange): Promise<void> {
  const usage = { input_tokens: USAGE.prompt_tokens, output_tokens: USAGE.completion_tokens };
  const message = { id: "m1", type: "message", role: "assistant", model: MODEL.name, stop_reason: "end_turn", usage };
  if (!exchange.body.stream) {
    const whole = { ...message, content: [{ type: "text", text: "Good morning." }] };
    exchange.response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole));
    return;
  }
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Good morning." } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
    { type: "message_stop" },
  ];
  await beginStream(exchange)(...events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
  exchange.response.end();
}

/** Runs a program with a key that may spend and one with nothing left. Returns what it printed, and the first key's books. */
async function run(program: string, file: string) {
  const [good, empty] = [await spender(), await spender({ budget: 0.0001 })];
  const args = [file, `${running.gateway.url}/v1`, good.apikey, empty.apikey, MODEL.name];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [printed] = await Promise.all([json(child.stdout), once(child, "exit")]);
  await expect.poll(async () => (await good.books()).ledger).toEqual([COST, COST]);
  return printed;
}

describe.skipIf(!isRun)("clients (INTEGRATIONS=1)", { timeout: TEN_MINUTES_MS }, () => {
  const SEEN = { whole: "Good morning.", streamed: "Good morning." };

  test("openai for Node", async ({ skip }) => {
    if (!(await installNode(running.scene.folder.path, "openai@7.57.0"))) skip();
    const file = `${running.scene.folder.path}/calls-openai.mjs`;
    await writeFile(file, OPENAI_NODE);
    running.upstream.answerWith(answerOpenAi);
    expect(await run(process.execPath, file)).toEqual({ ...SEEN, error: [402, "budget"] });
  });

  test("@anthropic-ai/sdk for Node", async ({ skip }) => {
    if (!(await installNode(running.scene.folder.path, "@anthropic-ai/sdk@1.12.0"))) skip();
    const file = `${running.scene.folder.path}/calls-anthropic.mjs`;
    await writeFile(file, ANTHROPIC_NODE);
    running.upstream.answerWith(answerAnthropic);
    expect(await run(process.execPath, file)).toEqual({ ...SEEN, error: [402, "budget"] });
  });

  test("openai for Python", async ({ skip }) => {
    const programs = await installPython(running.scene.folder.path, "openai==3.54.0");
    if (!programs) return skip();
    const file = `${running.scene.folder.path}/calls_openai.py`;
    await writeFile(file, OPENAI_PYTHON);
    running.upstream.answerWith(answerOpenAi);
    expect(await run(`${programs}/python`, file)).toEqual({ ...SEEN, error: [402, "budget"] });
  });
});
