// An OpenAI-compatible gateway that keeps its callers within the limits of their keys. Before a call it holds the most that
// the call may cost (authorize). After the call it counts the real cost (capture), or ends the hold (void). See ../README.md.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { json, text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

const { ALLOWANCE_URL, GATEWAY_TOKEN, UPSTREAM_URL, UPSTREAM_KEY, PORT = "8787" } = process.env;
for (const name of ["ALLOWANCE_URL", "GATEWAY_TOKEN", "UPSTREAM_URL", "UPSTREAM_KEY"])
  if (!process.env[name]) throw new Error(`${name} must be set`);
const prices = new Map(Object.entries(JSON.parse(readFileSync(new URL("prices.json", import.meta.url), "utf8"))));
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** How long the gateway waits for an answer. A hold lasts longer than any call, so that none ends before its capture. */
const [ALLOWANCE_MS, CALL_MS, HOLD_SECONDS] = [3_000, 600_000, 660];
const SETTLE_PAUSES_MS = [200, 1_000, 5_000];

const server = http.createServer(async (request, response) => {
  // A random part makes the id unique, so that one hold never pays for two calls.
  const line = { request_id: `${request.headers["x-request-id"]?.slice(0, 80) ?? "call"}.${randomUUID()}` };
  response.setHeader("x-request-id", line.request_id);
  try {
    const target = `${request.method} ${request.url.split("?", 1)[0]}`;
    const apikey = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
    if (!apikey) throw refusal(401, "key_not_found", "Send your API key: Authorization: Bearer <API_KEY>");
    if (target === "POST /v1/chat/completions") await complete(request, response, apikey, line);
    else if (target === "GET /v1/models") await listModels(response, apikey);
    else throw refusal(404, "unknown_url", "There is no such endpoint.");
  } catch (error) {
    const { status, code, message } = error.status ? error : refusal(502, "upstream_failed", "The model failed.");
    line.code = code;
    if (response.headersSent) response.destroy();
    else writeJson(response, status, { error: { message, type: code, param: null, code } });
  }
  console.log(JSON.stringify({ ...line, status: response.statusCode }));
});
server.listen(Number(PORT), () => console.log(`The gateway serves at http://localhost:${server.address().port}/v1`));
process.once("SIGTERM", () => server.close());

async function complete(request, response, apikey, line) {
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), CALL_MS);
  response.once("close", () => clearTimeout(timer) ?? gone.abort("the call is over"));
  const size = Number(request.headers["content-length"]);
  if (!(size <= MAX_BODY_BYTES)) throw refusal(413, "body_size", `Content-Length: must be ${MAX_BODY_BYTES} or less`);
  const body = await json(request).catch(() => undefined);
  const price = prices.get(body?.model);
  if (!price) throw refusal(404, "model_not_found", "model: must be one that has a price here");
  if (body.max_completion_tokens == null) body.max_tokens ??= price.max_output_tokens;
  const most = Math.max(body.max_tokens ?? 0, body.max_completion_tokens ?? 0) * (body.n ?? 1);
  if (!(most > 0)) throw refusal(400, "invalid_value", "max_tokens, n: must be numbers above 0");
  // No text has more tokens than bytes, so a call with text alone costs no more than this.
  const held = costOf(price, { prompt_tokens: size, completion_tokens: most });
  const call = { amount: held, input_price: price.input, output_price: price.output, request_id: line.request_id };
  const hold = await ask("", { apikey, ...call, ttl_seconds: HOLD_SECONDS });
  if (hold?.allowed !== true) throw limitRefusal(hold);
  Object.assign(line, { model: body.model, authorization_id: hold.authorization_id, held });
  const got = { anything: false, text: "", usage: undefined };
  try {
    const isUsageAsked = body.stream_options?.include_usage === true;
    if (body.stream) body.stream_options = { ...body.stream_options, include_usage: true };
    const { status, type, text, stream } = await send(`${UPSTREAM_URL}/chat/completions`, UPSTREAM_KEY, body, gone);
    if (text !== undefined) {
      if (status < 300) Object.assign(got, { anything: true, text, usage: JSON.parse(text).usage });
      return response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) }).end(text);
    }
    response.writeHead(200, { "content-type": type, "cache-control": "no-cache" }).flushHeaders();
    for await (const event of eventsOf(stream)) {
      const { choices, usage } = JSON.parse(/^data: ?(\{.*)$/m.exec(event)?.[1] ?? "{}");
      got.anything ||= choices !== undefined;
      got.usage = usage ?? got.usage;
      got.text += choices?.map(({ delta }) => delta?.content ?? JSON.stringify(delta)).join("") ?? "";
      if (choices?.length === 0 && !isUsageAsked) continue;
      if (!response.write(event)) await once(response, "drain", gone);
    }
    response.end();
  } finally {
    // Without a usage from the upstream, each byte counts as a token, but the call costs at most what was held.
    const known = costOf(price, { prompt_tokens: size, completion_tokens: Buffer.byteLength(got.text) });
    const amount = got.anything ? (costOf(price, got.usage) ?? Math.min(held, known)) : 0;
    const how = got.anything ? "capture" : "void";
    const settled = await ask(`/${hold.authorization_id}/${how}`, { amount }, SETTLE_PAUSES_MS);
    line[settled?.success ? how : `${how}_failed`] = amount;
  }
}

async function listModels(response, apikey) {
  const key = await ask("/check", { apikey, amount: 0 });
  if (!key?.success || key.code?.startsWith("key_")) throw limitRefusal(key);
  const { status, text } = await send(`${UPSTREAM_URL}/models`, UPSTREAM_KEY, undefined, { timeout: CALL_MS });
  writeJson(response, status, JSON.parse(text));
}

/** Asks Allowance, and again after each pause while it does not answer. Repeating is safe: the same call counts once. */
async function ask(path, body, [pause, ...pauses] = [100]) {
  const sent = send(`${ALLOWANCE_URL}/v1/authorizations${path}`, GATEWAY_TOKEN, body, { timeout: ALLOWANCE_MS });
  const answer = await sent.then(({ status, text }) => ({ status, ...JSON.parse(text) })).catch(() => undefined);
  if (answer?.status < 500 || pause === undefined) return answer;
  await delay(pause);
  return ask(path, body, pauses);
}

/** Sends a request over a connection that Node.js keeps. The answer has its whole `text`, unless it is a stream of events. */
async function send(url, token, body, { signal, timeout }) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const options = { method: body ? "POST" : "GET", headers, signal, timeout };
  const sent = (url.startsWith("https:") ? https : http).request(url, options);
  sent.on("error", () => {}).once("timeout", () => sent.destroy());
  const [stream] = await once(sent.end(body && JSON.stringify(body)), "response");
  const [status, type = "application/json"] = [stream.statusCode, stream.headers["content-type"]];
  if (status < 300 && type.startsWith("text/event-stream")) return { status, type, stream };
  const whole = await text(stream);
  if (status === 401 || status === 403) throw new Error("the key of the gateway is refused");
  return { status, type, text: whole };
}

/** Without a clear refusal, Allowance counts as away, and no call passes. */
function limitRefusal({ code, message } = {}) {
  if (!code) return refusal(503, "allowance_away", "Limits cannot be checked now; try again later.");
  const status = code.startsWith("key_") ? 401 : code.endsWith("_price_limit") ? 403 : code === "budget" ? 402 : 429;
  return refusal(status, code, message);
}

const refusal = (status, code, message) => Object.assign(new Error(message), { status, code });

function writeJson(response, status, value) {
  // OpenAI's clients repeat a 429; a daily limit does not change by repeating.
  response.writeHead(status, { "content-type": "application/json", "x-should-retry": String(status >= 500) });
  response.end(JSON.stringify(value));
}

/** Yuan, rounded to billionths, which Allowance stores exactly; `undefined` when the usage is not known. */
function costOf({ input, output }, usage) {
  const cost = Math.round((usage?.prompt_tokens * input + usage?.completion_tokens * output) * 1000) / 1e9;
  return Number.isNaN(cost) ? undefined : cost;
}

/** The events of a stream, each as soon as it is complete, with the empty line that ends it. */
async function* eventsOf(stream) {
  let rest = "";
  for await (const text of stream.setEncoding("utf8")) {
    const events = (rest + text).split(/(?<=\n\r?\n)/);
    rest = /\n\r?\n$/.test(events.at(-1)) ? "" : events.pop();
    yield* events;
  }
  if (rest) yield rest;
}
