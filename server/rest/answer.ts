import type { PublicError } from "../errors/public-error";
import { countRefusal } from "../metrics/requests";
import type { RateState } from "../rate-limit";
import { DATA_HEADERS, setHeaders } from "../security-headers";

/** What the API calls of an answer, of `node:http` or of the fast path. */
export interface Answer {
  readonly headersSent: boolean;
  setHeader(name: string, value: string | number): unknown;
  writeHead(status: number, headers: string[]): { end(): unknown };
  end(body: string): unknown;
  destroy(): unknown;
}

/** The headers that every answer of the API has (docs/api.md#requests): names and values in turn, as `writeHead` takes them. */
export function guardsOf(requestId: string): string[] {
  return ["Cache-Control", "no-store", "Request-Id", requestId, ...DATA_HEADERS];
}

/** Sets these headers on an answer that something else writes. */
export function guard(response: Answer, requestId: string): void {
  setHeaders(response, guardsOf(requestId));
}

/** Says how much of its rate limit the key of a request has left (docs/api.md#rate-limit). */
export function setRate(response: Answer, { limit, remaining, resetSeconds }: RateState): void {
  response.setHeader("RateLimit-Limit", limit);
  response.setHeader("RateLimit-Remaining", remaining);
  response.setHeader("RateLimit-Reset", resetSeconds);
}

/** Writes a JSON answer. `headers` are further headers: names and values in turn. */
export function writeJson(response: Answer, status: number, value: unknown, headers: readonly string[] = []): void {
  const body = JSON.stringify(value);
  // One list for `writeHead` costs less than a call of `setHeader` for each.
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, [...headers, "Content-Type", "application/json", "Content-Length", length]);
  response.end(body);
}

/** What a program of ours may know of an error besides its sentence. */
export type ErrorDetails = Partial<Pick<PublicError, "code" | "values" | "faults">>;

/** Writes an error in the shape that every error has. `more` are further fields of the body. */
export function writeError(response: Answer, failure: PublicError, more: ErrorDetails = {}): void {
  const { status, message, values, more: fields } = failure;
  countRefusal(failure);
  if (status === 401) response.setHeader("WWW-Authenticate", "Bearer");
  if (status === 503) response.setHeader("Retry-After", "1");
  if (values.seconds !== undefined) response.setHeader("Retry-After", values.seconds);
  if (values.refusal !== undefined) response.setHeader("Allowance-Code", values.refusal);
  writeJson(response, status, { success: false, error: message, ...fields, ...more });
}
