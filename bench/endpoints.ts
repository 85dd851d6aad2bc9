import { type Conversation, type Endpoint, repeat, requestOf } from "./load";
import { GATEWAY_TOKEN } from "./servers";

// The requests that are loaded, the same for the product and the reference.

const AUTHORIZATIONS = "/v1/authorizations";

/** A gateway's authorization on each of some keys in turn, and its capture. */
export function authorizeAndCapture(title: string, apikeys: readonly string[]): Endpoint {
  const next = inTurn(apikeys);
  return { title, converse: () => spend(next) };
}

/** The same with another credential: the default key of the account that has these keys, or another token of a gateway. */
export function authorizeAndCaptureWith(title: string, credential: string, apikeys: readonly string[]): Endpoint {
  const next = inTurn(apikeys);
  return { title, converse: () => spend(next, credential) };
}

/** A gateway's authorization on each of some keys in turn. The holds are left to expire. */
export function authorize(title: string, apikeys: readonly string[]): Endpoint {
  const next = inTurn(apikeys);
  return { title, converse: () => ask(AUTHORIZATIONS, next) };
}

/** The same by a model and its tokens, which cost the same. */
export function authorizeByModel(title: string, apikeys: readonly string[], model: string): Endpoint {
  const next = inTurn(apikeys);
  return { title, converse: () => ask(AUTHORIZATIONS, next, byModel(model)) };
}

/** A gateway's authorization by a model on each of some keys in turn, and its capture by usage. */
export function authorizeAndCaptureByModel(title: string, apikeys: readonly string[], model: string): Endpoint {
  const next = inTurn(apikeys);
  const cost = { asked: byModel(model), captured: { usage: { input_tokens: 900, output_tokens: 400 } } };
  return { title, converse: () => spend(next, GATEWAY_TOKEN, cost) };
}

/** A check of each of some keys in turn. */
export function check(title: string, apikeys: readonly string[]): Endpoint {
  const next = inTurn(apikeys);
  return { title, converse: () => ask(`${AUTHORIZATIONS}/check`, next) };
}

/** A new key with two limits, for each of some default keys in turn. */
export function createKeys(title: string, apikeys: readonly string[], path = "/v1/apikeys"): Endpoint {
  const next = inTurn(apikeys);
  const body = { name: "production", budget: 1000, daily_limit: 12.5 };
  return {
    title,
    *converse() {
      for (;;) yield { text: requestOf("POST", path, next(), body), status: 201 };
    },
  };
}

/**
 * A request that is refused right after its caller was recognised, for each of some keys in turn. None is a default key, so
 * that any keys of an account can be used.
 */
export function recognise(title: string, apikeys: readonly string[]): Endpoint {
  const next = inTurn(apikeys);
  return {
    title,
    *converse() {
      for (;;) yield { text: requestOf("POST", "/v1/apikeys", next()), status: 403 };
    },
  };
}

/** The least that a server answers. */
export const EMPTY_ANSWER: Endpoint = {
  title: "empty answer",
  converse: () => repeat(requestOf("GET", "/healthz", undefined), 200),
};

const BY_AMOUNT = { amount: 2.5 };

/** Tokens that cost 2.5 yuan at a thousand yuan per million. */
function byModel(model: string): object {
  return { model, input_tokens: 2_000, max_output_tokens: 500 };
}

function* spend(
  next: () => string,
  caller = GATEWAY_TOKEN,
  cost: { asked: object; captured: object } = { asked: BY_AMOUNT, captured: { amount: 2.1 } },
): Conversation {
  for (;;) {
    const asked = { apikey: next(), ...cost.asked };
    const held = yield { text: requestOf("POST", AUTHORIZATIONS, caller, asked), status: 200 };
    const path = `${AUTHORIZATIONS}/${allowed(held).authorization_id}/capture`;
    yield { text: requestOf("POST", path, caller, cost.captured), status: 200 };
  }
}

function* ask(path: string, next: () => string, cost: object = BY_AMOUNT): Conversation {
  for (;;) {
    const asked = { apikey: next(), ...cost };
    allowed(yield { text: requestOf("POST", path, GATEWAY_TOKEN, asked), status: 200 });
  }
}

/** The answer of an authorization. @throws when it is not allowed. */
function allowed(body: string): { authorization_id: string } {
  const answer = JSON.parse(body);
  if (answer.allowed !== true) throw new Error(`not allowed: ${body}`);
  return answer;
}

/** A function that returns the values one after the other, again and again. */
export function inTurn(values: readonly string[]): () => string {
  let turn = 0;
  return () => values[turn++ % values.length] ?? "";
}
