import type { ServerResponse } from "node:http";
import type { Handled } from "./rest/handler";

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
