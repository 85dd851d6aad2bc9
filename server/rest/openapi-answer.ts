import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { apiDocument } from "./openapi";

/** The document as it is sent: as it is, and compressed. Each form has a tag of its own. */
interface Document {
  plain: { body: Buffer; tag: string };
  compressed: { body: Buffer; tag: string };
}

const ACCEPTS_GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?!;\s*q=0(?:\.0*)?\s*(?:,|$))(?:;|,|$)/i;

/** Made by the first request, for all. */
let made: Promise<Document> | undefined;

/**
 * Answers `/openapi.json`, compressed where the client takes that, and with 304 where it has the document already.
 * @returns the status.
 */
export async function answerApiDocument(request: IncomingMessage, response: ServerResponse): Promise<number> {
  made ??= makeDocument();
  const { plain, compressed } = await made;
  const isCompressed = ACCEPTS_GZIP.test(request.headers["accept-encoding"]?.toString() ?? "");
  const { body, tag } = isCompressed ? compressed : plain;
  const headers = { ETag: tag, "Cache-Control": "no-cache", Vary: "Accept-Encoding" };
  if (request.headers["if-none-match"]?.includes(tag)) {
    response.writeHead(304, headers).end();
    return 304;
  }
  response.writeHead(200, {
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": body.length,
    ...(isCompressed && { "Content-Encoding": "gzip" }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
  return 200;
}

async function makeDocument(): Promise<Document> {
  const body = Buffer.from(await apiDocument());
  const name = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  return {
    plain: { body, tag: `"${name}"` },
    compressed: { body: await promisify(gzip)(body), tag: `"${name}-gzip"` },
  };
}
