import { type Conversation, type Endpoint, repeat, requestOf } from "./load";
import { GATEWAY_TOKEN } from "./servers";

// The requests that are loaded, the same for the product and the reference.

const AUTHORIZATIONS = "/v1/authorizations";

/** A gateway's authorization on each of some keys in turn, and its capture. */
export function authorizeAndCapture(title: string, apikeys: readonly string[]): Endpoint {
  const next = inTurn(apikeys);
  return { title, converse: () => spend(next) };
}

/** The same by the default key of the account that has these keys. */
export function authorizeAndCaptureByOwner(title: string, owner: string, apikeys: readonly string[]): Endpoint {
  const next = inTurn(apikeys);
  return { title, converse: () => spend(next, owner) };
}

/** A gateway's authorization on each of some keys in turn. The holds are left to expire. */
export function authorize(title: string, apikeys: readonly string[]): Endpoint {
  const next = inTurn(apikeys);
  return { title, converse: () => ask(AUTHORIZATIONS, next) };
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

/** A request that is refused right after its caller was recognised, for each of some default keys in turn. */
export function recognise(title: string, apikeys: readonly string[]): Endpoint {
  const next = inTurn(apikeys);
  return {
    title,
    *converse() {
      for (;;) yield { text: requestOf("POST", "/v1/apikeys", next()), status: 400 };
    },
  };
}

/** The least that a server answers. */
export const EMPTY_ANSWER: Endpoint = {
  title: "empty answer",
  converse: () => repeat(requestOf("GET", "/healthz", undefined), 200),
};

function* spend(next: () => string, caller = GATEWAY_TOKEN): Conversation {
  for (;;) {
    const asked = { apikey: next(), amount: 2.5 };
    const held = yield { text: requestOf("POST", AUTHORIZATIONS, caller, asked), status: 200 };
    const path = `${AUTHORIZATIONS}/${allowed(held).authorization_id}/capture`;
    yield { text: requestOf("POST", path, caller, { amount: 2.1 }), status: 200 };
  }
}

function* ask(path: string, next: () => string): Conversation {
  for (;;) {
    const asked = { apikey: next(), amount: 2.5 };
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
