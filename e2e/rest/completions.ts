import { USAGE } from "./fake-upstream";
import { type Gateway, MODEL, PROMPT, yuan } from "./gateway";

export const BODY = { model: MODEL.name, messages: [{ role: "user", content: PROMPT }], max_tokens: 100 };
export const STREAM = { stream: true };
/** What an answer with the usage of the fake upstream costs, in yuan. */
export const COST = yuan(USAGE.prompt_tokens, USAGE.completion_tokens);

/** Asks a gateway for a completion. */
export function completeAt(
  gateway: Gateway,
  apikey: string,
  more: object = {},
  options: RequestInit = {},
): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apikey}`, "content-type": "application/json" },
    body: JSON.stringify({ ...BODY, ...more }),
    ...options,
  });
}

/** How many bytes such a request has. */
export const sizeOf = (more: object = {}) => Buffer.byteLength(JSON.stringify({ ...BODY, ...more }));
