import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** A body that stays as it is while the process runs: as it is, and compressed. Each form has a tag of its own. */
export interface FixedBody {
  plain: { body: Buffer; tag: string };
  compressed: { body: Buffer; tag: string };
}

/** What kind of text a body is, and how long clients may keep it. */
export interface FixedHeaders {
  "Content-Type": string;
  "Cache-Control": string;
}

const ACCEPTS_GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?!;\s*q=0(?:\.0*)?\s*(?:,|$))(?:;|,|$)/i;

/** Compresses a body once, for all answers. */
export async function makeFixedBody(body: Buffer): Promise<FixedBody> {
  const name = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  return {
    plain: { body, tag: `"${name}"` },
    compressed: { body: await promisify(gzip)(body), tag: `"${name}-gzip"` },
  };
}

/**
 * Answers a `GET` or `HEAD`, compressed where the client takes that, and with 304 where it has the body already.
 * @returns the status.
 */
export function answerFixedBody(
  request: IncomingMessage,
  response: ServerResponse,
  { plain, compressed }: FixedBody,
  fixed: FixedHeaders,
): number {
  const isCompressed = ACCEPTS_GZIP.test(request.headers["accept-encoding"]?.toString() ?? "");
  const { body, tag } = isCompressed ? compressed : plain;
  const headers = { ETag: tag, "Cache-Control": fixed["Cache-Control"], Vary: "Accept-Encoding" };
  if (request.headers["if-none-match"]?.includes(tag)) {
    response.writeHead(304, headers).end();
    return 304;
  }
  response.writeHead(200, {
    ...headers,
    "Content-Type": fixed["Content-Type"],
    "Content-Length": body.length,
    ...(isCompressed && { "Content-Encoding": "gzip" }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
  return 200;
}
