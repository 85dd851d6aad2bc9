import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];

export interface AllowanceOptions {
  /** Where Allowance runs: `https://keys.example.com`. */
  baseUrl: string;
  /** The default key of the account or, for authorizations and the models of a key alone, a gateway's token. */
  key: string;
  /** How often a call is made again at most. 3 when it is not given. */
  retries?: number;
  /** What sends the requests; the global `fetch` when it is not given. */
  fetch?: typeof fetch;
}

/** A call that failed, with what the API said. */
export class AllowanceError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** It stands in the log of the server too. */
    readonly requestId: string | null,
  ) {
    super(message);
    this.name = "AllowanceError";
  }
}

/**
 * The API of Allowance. Each method throws an `AllowanceError` when the API refuses the call. A call that is answered with
 * `Retry-After` is made again after that time: after 429, because nothing was done, and after 503 where making it twice has
 * the same effect as making it once.
 */
export class Allowance {
  /** Every operation of the API: `client.GET("/v1/overview")`. */
  readonly client: Client<paths>;

  constructor({ baseUrl, key, retries = 3, fetch: send = fetch }: AllowanceOptions) {
    const headers = { Authorization: `Bearer ${key}` };
    this.client = createClient<paths>({ baseUrl, headers, fetch: (request) => sendAgain(send, request, retries) });
  }

  createGroup(body: Schemas["CreateGroupInput"]) {
    return answerOf(this.client.POST("/v1/apikey_groups", { body }));
  }

  listGroups() {
    return answerOf(this.client.GET("/v1/apikey_groups"));
  }

  createKey(body: Schemas["CreateApiKeyInput"]) {
    return answerOf(this.client.POST("/v1/apikeys", { body }));
  }

  /** A limit that is not sent stays; an `expiry_date` that is not sent is cleared. */
  setLimits(apikeyId: string, body: Schemas["SetApiKeyLimitsInput"]) {
    const path = { apikey_id: apikeyId };
    return answerOf(this.client.POST("/v1/apikeys/{apikey_id}/budget", { params: { path }, body }));
  }

  /** What is not sent stays on every key of the group, `expiry_date` too. */
  setGroupLimits(groupId: string, body: Schemas["SetGroupLimitsInput"]) {
    const path = { group_id: groupId };
    return answerOf(this.client.POST("/v1/apikey_groups/{group_id}/batch_budget", { params: { path }, body }));
  }

  /**
   * Holds what a call may cost at most. A refusal is an answer with `allowed: false`. A body without a `request_id` is sent
   * with one, so that it holds once however often it is sent.
   */
  authorize(body: Schemas["AuthorizeInput"]) {
    const named = { ...body, request_id: body.request_id ?? crypto.randomUUID() };
    return answerOf(this.client.POST("/v1/authorizations", { body: named }));
  }

  /** Counts what the call cost, and ends the hold. */
  capture(authorizationId: string, body: Schemas["CaptureAuthorizationInput"]) {
    const path = { authorization_id: authorizationId };
    return answerOf(this.client.POST("/v1/authorizations/{authorization_id}/capture", { params: { path }, body }));
  }

  /** Ends the hold of a call that was not made. */
  void(authorizationId: string) {
    const path = { authorization_id: authorizationId };
    return answerOf(this.client.POST("/v1/authorizations/{authorization_id}/void", { params: { path } }));
  }
}

/** The body of an answer. */
async function answerOf<Data>(called: Promise<{ data?: Data; error?: Schemas["Error"]; response: Response }>) {
  const { data, error, response } = await called;
  if (data !== undefined) return data;
  // What stands between may answer with an error of its own.
  const message = error?.error ?? `${response.status} ${response.statusText}`;
  throw new AllowanceError(response.status, message, response.headers.get("Request-Id"));
}

/** Sends a request, and again when the answer says after how many seconds. */
async function sendAgain(send: typeof fetch, request: Request, retries: number): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const response = await send(request.clone());
    const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
    if (attempt >= retries || Number.isNaN(seconds)) return response;
    const isUndone = response.status === 429;
    if (!isUndone && !(response.status === 503 && (await isRepeatable(request)))) return response;
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** Whether making a call twice has the same effect as making it once. */
async function isRepeatable(request: Request): Promise<boolean> {
  if (request.method === "GET") return true;
  const body = JSON.parse((await request.clone().text()) || "{}");
  const { pathname } = new URL(request.url);
  const setsLimits = pathname.endsWith("budget") && !("change" in body);
  return "request_id" in body || setsLimits || /\/(capture|void|check)$/.test(pathname);
}
