// A gateway for clients of OpenAI and Anthropic that keeps its callers within the limits of their keys. Before a call it
// holds the most that the call may cost (authorize). After it, it counts what was used (capture), or ends the hold (void).
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { errorBody, eventsOf, FORMATS, headersFor, read, usageOf } from "./formats.mjs";
import { openOutbox } from "./outbox.mjs";

const { ALLOWANCE_URL, GATEWAY_TOKEN, PORT = "8787", OUTBOX = `outbox-${PORT}.jsonl` } = process.env;
const { UPSTREAM_URL, UPSTREAM_KEY, ANTHROPIC_URL, ANTHROPIC_KEY } = process.env;
const SERVICES = { openai: [UPSTREAM_URL, UPSTREAM_KEY], anthropic: [ANTHROPIC_URL, ANTHROPIC_KEY] };
if (!ALLOWANCE_URL || !GATEWAY_TOKEN) process.exit(console.error("ALLOWANCE_URL and GATEWAY_TOKEN must be set") ?? 1);
/** How long the gateway waits for an answer. A hold outlasts any call, and an idle connection those of a proxy in front. */
const [ALLOWANCE_MS, CALL_MS, HOLD_SECONDS, IDLE_MS, MAX_BODY_BYTES] = [3_000, 600_000, 660, 150_000, 8 * 1024 * 1024];
/** After which answers a service is asked again, how often, and the shortest and the longest pause before. */
const [BUSY, MAX_RETRIES, RETRY_MS, MAX_RETRY_MS] = [[429, 500, 502, 503, 504, 529], 2, 500, 10_000];
/** All bytes of a stream. `node:stream/consumers` makes a Blob of them, which takes longer. */
const readAll = async (stream) => Buffer.concat(await stream.toArray());

const server = http.createServer({ keepAliveTimeout: IDLE_MS }, async (request, response) => {
  // A random part makes the id unique, so that one hold never pays for two calls.
  const line = { request_id: `${request.headers["x-request-id"]?.slice(0, 80) ?? "call"}.${randomUUID()}` };
  response.setHeader("x-request-id", line.request_id);
  const path = request.url.split("?", 1)[0];
  const format = { service: request.headers["anthropic-version"] ? "anthropic" : "openai", ...FORMATS[path] };
  try {
    const { authorization, "x-api-key": plainKey } = request.headers;
    const apikey = authorization ? /^bearer +(\S+) *$/i.exec(authorization)?.[1] : plainKey;
    if (!apikey) throw refusal(401, "key_not_found", "Send your API key: Authorization: Bearer <API_KEY>");
    const isCall = request.method === "POST" && format.most && SERVICES[format.service].every(Boolean);
    if (isCall) await forward(request, response, { apikey, path, ...format, line });
    else if (request.method === "GET" && path === "/v1/models") await listModels(response, apikey, format);
    else throw refusal(404, "unknown_url", "There is no such endpoint.");
  } catch (error) {
    const failure = error.status ? error : refusal(502, "upstream_failed", "The call failed.");
    Object.assign(line, { code: failure.code, error: failure === error ? error.cause : error.message });
    if (response.headersSent) response.destroy();
    else writeJson(response, failure.status, errorBody(format.service, failure), failure.until);
  }
  console.log(JSON.stringify({ ...line, status: response.statusCode }));
});

/** Passes one call to its service, between the authorization and the settlement. */
async function forward(request, response, { apikey, path, service, most, line }) {
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), CALL_MS);
  response.once("close", () => clearTimeout(timer) ?? (response.writableFinished || gone.abort()));
  const size = Number(request.headers["content-length"]);
  if (!(size <= MAX_BODY_BYTES)) throw refusal(413, "body_size", `Content-Length: must be ${MAX_BODY_BYTES} or less`);
  const raw = await readAll(request);
  const body = await (async () => JSON.parse(new TextDecoder().decode(raw)))().catch(() => undefined);
  if (typeof body?.model !== "string") throw refusal(400, "invalid_value", "model: must be a string, in JSON");
  const max_output_tokens = most(body) ?? undefined;
  if (max_output_tokens !== undefined && !(Number.isSafeInteger(max_output_tokens) && max_output_tokens >= 0))
    throw refusal(400, "invalid_value", "max_tokens, n, background: the most tokens of output must be known");
  // No text has more tokens than bytes, so a call with text alone has no more input than this.
  const call = { apikey, model: body.model, input_tokens: size, max_output_tokens, request_id: line.request_id };
  const hold = await ask("authorizations", { body: { ...call, ttl_seconds: HOLD_SECONDS } });
  if (hold.allowed !== true) throw limitRefusal(hold);
  const { authorization_id: id, amount, prices } = hold;
  Object.assign(line, { model: body.model, authorization_id: id, held: amount });
  const [got, journal] = [{}, await outbox];
  try {
    // If this process ends in the middle of the call, the next one captures the whole hold.
    await journal.append({ id, how: "capture", body: { amount } });
    const isUsageAsked = path !== "/v1/chat/completions" || !body.stream || body.stream_options?.include_usage === true;
    const stream_options = { ...body.stream_options, include_usage: true };
    const sent = isUsageAsked ? raw : JSON.stringify({ ...body, stream_options });
    const answer = await callService(service, path, request.headers, sent, { got, signal: gone.signal });
    await passOn(answer, response, { got, isUsageAsked, signal: gone.signal });
  } finally {
    // Where the caller sent none, the most tokens of the model, with which the hold was computed.
    const output = max_output_tokens ?? (Math.round((amount * 1e6 - size * prices.input) / prices.output) || 0);
    const cost = got.usage ? { usage: usageOf(got, { input: size, output }) } : got.mayCost && { amount };
    journal.settle(cost ? { id, how: "capture", body: cost } : { id, how: "void" });
  }
}

/** Calls a service, and again while it is busy or no answer has begun. Notes in `got` whether that may cost something. */
async function callService(service, path, headers, body, { got, signal, retry = 0 }) {
  const [url, key] = SERVICES[service];
  const options = { method: "POST", headers: headersFor(service, key, headers), signal };
  const answer = await send(url + path.slice("/v1".length), options, body).catch((error) => {
    got.mayCost ||= error.isSent;
    if (retry === MAX_RETRIES || signal.aborted) throw error;
  });
  const pause = 1000 * answer?.headers["retry-after"] || RETRY_MS * 2 ** retry * (0.5 + Math.random());
  const isForbidden = [401, 403].includes(answer?.statusCode); // The caller cannot mend the key of the gateway.
  const isBusy = !answer || (BUSY.includes(answer.statusCode) && pause <= MAX_RETRY_MS && retry < MAX_RETRIES);
  if (!isForbidden && !isBusy) return answer;
  answer?.destroy();
  if (isForbidden) throw new Error(`the service answers ${answer.statusCode} to the key of the gateway`);
  await delay(pause, undefined, { signal });
  return callService(service, path, headers, body, { got, signal, retry: retry + 1 });
}

/** Passes an answer on to the caller: whole, or event by event. */
async function passOn(answer, response, { got, isUsageAsked, signal }) {
  const { statusCode: status, headers } = answer;
  const { "content-type": type = "application/json", "retry-after": wait } = headers;
  const head = { "content-type": type, ...(wait && { "retry-after": wait }) };
  got.mayCost ||= status < 300;
  if (status >= 300 || !type.startsWith("text/event-stream")) {
    const whole = await readAll(answer);
    if (status < 300) read(got, JSON.parse(new TextDecoder().decode(whole)), whole.length);
    return response.writeHead(status, { ...head, "content-length": whole.length }).end(whole);
  }
  response.writeHead(status, { ...head, "cache-control": "no-cache" }).flushHeaders();
  for await (const event of eventsOf(answer)) {
    const data = JSON.parse(/^data: ?(\{[^\r\n]*)/m.exec(event)?.[1] ?? null); // A dot would end at U+2028 in a text.
    if (data) read(got, data);
    if (data?.choices?.length === 0 && data.usage && !isUsageAsked) continue;
    if (!response.write(event)) await once(response, "drain", { signal });
  }
  response.end();
}

/** The models that the key may call, as the clients of OpenAI or Anthropic read them. */
async function listModels(response, apikey, { service }) {
  const { status, error, models } = await ask("allowance", { token: apikey });
  if (!models) throw status === 401 ? refusal(401, "key_not_found", error) : limitRefusal({ status, error });
  const kind = { object: "model", type: "model", created: 0, owned_by: "gateway" };
  const data = models.map(({ name }) => ({ id: name, display_name: name, ...kind }));
  writeJson(response, 200, service === "openai" ? { object: "list", data } : { data, has_more: false });
}

/** Asks Allowance, and once more when no answer comes. Repeating is safe: the same call counts once. */
async function ask(path, { token = GATEWAY_TOKEN, body, method = body ? "POST" : "GET", isLast = false }) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const options = { method, headers, timeout: ALLOWANCE_MS };
  const answer = await send(`${ALLOWANCE_URL}/v1/${path}`, options, JSON.stringify(body))
    .then(async (sent) => ({ status: sent.statusCode, ...JSON.parse(await readAll(sent)) }))
    .catch((error) => ({ status: "no answer", error: error.code ?? error.message }));
  if (answer.status < 500 || isLast) return answer;
  await delay(100);
  return ask(path, { token, body, method, isLast: true });
}

/** Tells Allowance how an authorization ends. @returns whether that is settled for good. */
async function deliver({ id, how, body }) {
  const answer = await ask(`authorizations/${id}/${how}`, { method: "POST", body, isLast: true });
  if (!(answer.status < 500) || [401, 403, 408, 429].includes(answer.status)) return false;
  const outcome = answer.success ? { [how]: answer.amount ?? 0 } : { [`${how}_failed`]: body, error: answer.error };
  console.log(JSON.stringify({ authorization_id: id, ...outcome }));
  return true;
}

/** Sends a request; a base address may end with a slash. Resolves when an answer begins. An error says if it was sent. */
async function send(url, options, body) {
  const sent = (url.startsWith("https:") ? https : http).request(url.replace(/(?<!:)\/\//, "/"), options);
  sent.on("error", (error) => Object.assign(error, { isSent: sent.writableFinished }));
  return (await once(sent.once("timeout", () => sent.destroy()).end(body), "response"))[0];
}

/** Without a clear refusal, Allowance counts as away, and no call passes. The log says what it has answered. */
function limitRefusal({ status, code, message, error, refusal: { resets_at: until } = {} }) {
  if (status === 400) return refusal(400, "invalid_value", error);
  const cause = `Allowance: ${status} ${error}`;
  if (!code) return refusal(503, "allowance_away", "Limits cannot be checked now; try again later.", { cause });
  const statuses = { budget: 402, unknown_model: 404, open_holds: 429, daily_limit: 429, monthly_limit: 429 };
  return refusal(statuses[code] ?? (/^(key|account)_/.test(code) ? 401 : 403), code, message, { until });
}

/** An error for the caller; `until`: when a repeated call may pass, in seconds since 1970; `cause`: more for the log. */
const refusal = (status, code, message, more) => Object.assign(new Error(message), { status, code, ...more });

function writeJson(response, status, value, until) {
  // The clients repeat a 429 by themselves; a daily limit does not change by repeating.
  const head = { "content-type": "application/json", "x-should-retry": String(status >= 500) };
  if (until) head["retry-after"] = Math.max(1, Math.ceil(until - Date.now() / 1000));
  response.writeHead(status, head).end(JSON.stringify(value));
}

process.once("SIGTERM", () => Object.assign(server.close(), { keepAliveTimeout: 1 })); // A connection ends after its answer.
// Only the process that has the port reads the journal.
const outbox = (async () => once(server.listen(Number(PORT)), "listening"))().then(() => openOutbox(OUTBOX, deliver));
await outbox.catch(({ message }) => process.exit(console.error(`the gateway cannot start: ${message}`) ?? 1));
console.log(`The gateway serves at http://localhost:${server.address().port}/v1`);
