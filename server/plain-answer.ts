import type { IncomingMessage, ServerResponse } from "node:http";
import { requestErrors } from "./errors/request-errors";
import { writeError } from "./rest/answer";
import type { Handled } from "./rest/handler";

/** The methods of what can only be read. */
export const READING = ["GET", "HEAD"];

/**
 * Refuses a method that a path does not have, with 405 and those that it has.
 * @returns undefined for a method that it has, which is not answered.
 */
export function refuseOtherMethod(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  methods = READING,
): Handled | undefined {
  if (methods.includes(request.method ?? "")) return undefined;
  const failure = requestErrors.methodNotAllowed(methods.join(", "));
  response.setHeader("Allow", methods.join(", "));
  writeError(response, failure);
  return { status: failure.status, path };
}

/** Answers what is no part of the API, in one piece that nobody keeps. */
export function writePlain(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  path: string,
): Handled {
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
  });
  response.end(body);
  return { status, path };
}
