import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Failure } from "../errors/failure";
import { failWith } from "../errors/public-error";
import { requestErrors } from "../errors/request-errors";
import { type ApiRequest, FastRequest } from "../fast-path/request";
import { parseJson } from "../underflow";

/** Longest body that is read, in bytes, where the endpoint says nothing else. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * How many lists and objects a body may have. Each takes 56 bytes of memory and two of the body: of one of 8 MB, nearly all the
 * memory that a process has in a small container.
 */
const MOST_PARTS = 200_000;
const [LIST, OBJECT] = Buffer.from("[{");

/** Of a header that some clients send twice, the values stand behind each other, with a comma between them. The first one counts. */
const JSON_TYPE = /^\s*application\/json\s*([;,]|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;,"]+)/i;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Reads the JSON object that a request carries: at once where its body has arrived.
 * @throws {TRPCError} BAD_REQUEST when it is not declared as JSON, is not JSON, or not an object; PAYLOAD_TOO_LARGE over
 * `maxBytes`, as soon as that is known. A promise rejects with the same.
 */
export function readJsonObject(
  request: ApiRequest,
  maxBytes = MAX_BODY_BYTES,
): Record<string, unknown> | Promise<Record<string, unknown>> {
  const contentType = request.headers["content-type"] ?? "";
  // Nearly every request has exactly this type.
  if (contentType !== "application/json") requireJson(contentType);
  if (!(request instanceof FastRequest))
    return readBytes(request, maxBytes).then((bytes) => parseObject(bytes, request));
  if (request.body.length > maxBytes) throw failWith(requestErrors.bodyTooLong(maxBytes));
  return parseObject(request.body, request);
}

function parseObject(bytes: Buffer, request: ApiRequest): Record<string, unknown> {
  const value = jsonIn(bytes, request);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw failWith(requestErrors.bodyNotObject());
  }
  return value as Record<string, unknown>;
}

function requireJson(contentType: string): void {
  if (!JSON_TYPE.test(contentType)) throw failWith(requestErrors.notJsonType());
  const charset = CHARSET.exec(contentType)?.[1] ?? "utf-8";
  if (!/^utf-?8$/i.test(charset)) throw failWith(requestErrors.charsetNotUtf8());
}

/**
 * Reads the body of a request, in which somebody else will find the JSON.
 * @throws {TRPCError} PAYLOAD_TOO_LARGE over `maxBytes`, BAD_REQUEST when it is more than JSON may be.
 */
export async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const bytes = await readBytes(request, maxBytes);
  requireFewParts(bytes);
  return bytes.toString();
}

/** Those in texts are counted too: the text of a file is JSON itself. */
function requireFewParts(bytes: Buffer): void {
  if (bytes.length <= MAX_BODY_BYTES) return;
  let parts = 0;
  // By its places, a body is read several times as fast as by its bytes.
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === LIST || bytes[i] === OBJECT) parts++;
  if (parts > MOST_PARTS) throw failWith(requestErrors.bodyOfTooManyParts(MOST_PARTS));
}

function jsonIn(bytes: Buffer, request: ApiRequest): unknown {
  requireFewParts(bytes);
  if (!isUtf8(bytes)) throw failWith(notJson(request));
  const text = bytes.toString();
  try {
    return parseJson(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  } catch {
    throw failWith(notJson(request));
  }
}

/** A body that a client has compressed is told as such, because the client believes that it has sent JSON. */
function notJson({ headers }: ApiRequest): Failure {
  const encoding = headers["content-encoding"] ?? "identity";
  return encoding.toLowerCase() === "identity" ? requestErrors.bodyNotJson() : requestErrors.bodyEncoded();
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    // An error is made only when it is needed, because its stack is costly.
    const fail = (failure: Failure) => {
      if (!isSettled) reject(failWith(failure));
      isSettled = true;
    };
    const tooLarge = () => {
      // The rest of the body is discarded as it arrives, so that the client can read the answer.
      request.removeAllListeners("data").resume();
      fail(requestErrors.bodyTooLong(maxBytes));
    };
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) return tooLarge();
    const cutOff = () => fail(requestErrors.bodyCutOff());
    if (request.destroyed) return cutOff();
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) tooLarge();
    });
    request.on("end", () => {
      isSettled = true;
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    request.on("error", cutOff);
    request.on("close", cutOff);
  });
}
