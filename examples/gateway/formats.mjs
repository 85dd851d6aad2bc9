// What the gateway knows of the formats of OpenAI and Anthropic.

/** By path: whose format it is, and the most tokens of output; `undefined`: the most of the model, NaN: not known. */
export const FORMATS = {
  "/v1/chat/completions": { service: "openai", most: chatTokens },
  "/v1/responses": { service: "openai", most: (body) => (body.background ? NaN : body.max_output_tokens) },
  "/v1/embeddings": { service: "openai", most: () => 0 },
  "/v1/messages": { service: "anthropic", most: (body) => body.max_tokens || NaN },
};

/** Each of `n` answers may have the most tokens. */
function chatTokens({ max_tokens: older, max_completion_tokens: newer, n }) {
  if (older == null && newer == null) return (n ?? 1) === 1 ? undefined : NaN;
  return Math.max(older ?? 0, newer ?? 0) * (n ?? 1) || NaN;
}

/** The headers with which a service is called. */
export function headersFor(service, key, { "anthropic-version": version = "2023-06-01", "anthropic-beta": beta }) {
  const type = { "content-type": "application/json" };
  if (service === "openai") return { ...type, authorization: `Bearer ${key}` };
  return { ...type, "x-api-key": key, "anthropic-version": version, ...(beta && { "anthropic-beta": beta }) };
}

/** The body of an error, as the clients of the service read it. */
export function errorBody(service, { status, code, message }) {
  if (service === "openai") return { error: { message, type: code, param: null, code } };
  const types = { 401: "authentication", 402: "billing", 403: "permission", 404: "not_found", 429: "rate_limit" };
  const type = `${types[status] ?? (status < 500 ? "invalid_request" : "api")}_error`;
  return { type: "error", error: { type, message, code } };
}

/** Notes in `got` what a part of an answer tells: a whole answer, with its size in bytes, or the data of one event. */
export function read(got, part, bytes = 0) {
  got.mayCost &&= !part.error;
  if (part.error) return;
  const usage = part.usage ?? part.response?.usage;
  got.isComplete ||= Boolean(usage);
  got.usage = { ...got.usage, ...(usage ?? part.message?.usage) };
  const deltas = (part.choices ?? [part]).map(({ delta }) => bytesOf(delta));
  got.bytes = deltas.reduce((sum, size) => sum + size, bytes + (got.bytes ?? 0));
}

/** The usage as Allowance counts it. Where the service told none, each byte counts as a token, but no more than was held. */
export function usageOf({ usage: told, isComplete, bytes }, held) {
  const { cached_tokens } = told.prompt_tokens_details ?? told.input_tokens_details ?? {};
  const { cache_read_input_tokens: read = 0, cache_creation_input_tokens: written = 0 } = told;
  const input_tokens = count(told.prompt_tokens ?? told.input_tokens + read + written, held.input); // The first has all.
  const cached_input_tokens = Math.min(input_tokens, count(cached_tokens ?? read, 0));
  const output = count(told.completion_tokens ?? told.output_tokens ?? 0, held.output);
  const output_tokens = isComplete ? output : Math.max(output, Math.min(bytes, held.output));
  return { input_tokens, cached_input_tokens, output_tokens };
}

const count = (value, otherwise) => (Number.isSafeInteger(value) && value >= 0 ? value : otherwise);
/** The bytes of the texts in a delta, which is a text or has texts in it. */
function bytesOf(delta) {
  if (typeof delta !== "object") return Buffer.byteLength(typeof delta === "string" ? delta : "");
  return Object.values({ ...delta, type: "", role: "" }).reduce((sum, part) => sum + bytesOf(part), 0);
}

/** The events of a stream, each as soon as it is complete, with the empty line that ends it. */
export async function* eventsOf(stream) {
  let rest = "";
  for await (const text of stream.setEncoding("utf8")) {
    const events = (rest + text).split(/(?<=\n\r?\n)/);
    rest = /\n\r?\n$/.test(events.at(-1)) ? "" : events.pop();
    yield* events;
  }
  if (rest) yield rest;
}
