import type { ServerResponse } from "node:http";
import type { PublicError } from "../errors/public-error";

/** The headers that every answer of the API has (docs/api.md#requests): names and values in turn, as `writeHead` takes them. */
export function guardsOf(requestId: string): string[] {
  return ["Cache-Control", "no-store", "X-Content-Type-Options", "nosniff", "Request-Id", requestId];
}

/** Sets these headers on an answer that something else writes. */
export function guard(response: ServerResponse, requestId: string): void {
  const guards = guardsOf(requestId);
  for (let i = 0; i < guards.length; i += 2) response.setHeader(guards[i] ?? "", guards[i + 1] ?? "");
}

/** Writes a JSON answer. `headers` are further headers: names and values in turn. */
export function writeJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: readonly string[] = [],
): void {
  const body = JSON.stringify(value);
  // One list for `writeHead` costs less than a call of `setHeader` for each.
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, [...headers, "Content-Type", "application/json", "Content-Length", length]);
  response.end(body);
}

/** Writes an error in the shape that every error has. `more` are further fields of the body. */
export function writeError(
  response: ServerResponse,
  { status, message, values }: Pick<PublicError, "status" | "message" | "values">,
  more: { code?: string } = {},
): void {
  if (status === 401) response.setHeader("WWW-Authenticate", "Bearer");
  if (status === 503) response.setHeader("Retry-After", "1");
  if (values.refusal !== undefined) response.setHeader("Allowance-Code", values.refusal);
  writeJson(response, status, { success: false, error: message, ...more });
}
