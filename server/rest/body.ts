import type { IncomingMessage } from "node:http";
import { failWith } from "../errors/public-error";
import { requestErrors } from "../errors/request-errors";

/** Longest body that is read, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the JSON object that a request carries.
 * @throws {TRPCError} BAD_REQUEST when it is not declared as JSON, not JSON, or not an object; PAYLOAD_TOO_LARGE over
 * 64 KiB, as soon as that is known.
 */
export async function readJsonObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  const contentType = request.headers["content-type"] ?? "";
  if (!JSON_TYPE.test(contentType)) throw failWith(requestErrors.notJsonType());
  const charset = CHARSET.exec(contentType)?.[1] ?? "utf-8";
  if (!/^utf-?8$/i.test(charset)) throw failWith(requestErrors.charsetNotUtf8());
  const value = parseJson(await readBytes(request));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw failWith(requestErrors.bodyNotObject());
  }
  return value as Record<string, unknown>;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw failWith(requestErrors.bodyNotJson());
  }
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () => {
      // The rest of the body is discarded as it arrives, so that the client can read the answer.
      request.removeAllListeners("data").resume();
      reject(failWith(requestErrors.bodyTooLong(MAX_BODY_BYTES)));
    };
    if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return tooLarge();
    const cutOff = () => reject(failWith(requestErrors.bodyCutOff()));
    if (request.destroyed) return cutOff();
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_BODY_BYTES) tooLarge();
    });
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on("error", cutOff);
    request.on("close", cutOff);
  });
}
