import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { RecentMap } from "../recent-map";

/** Longest head and longest body of a request on the fast path, in bytes. */
const MOST_BYTES = 16 * 1024;

/** Node.js ignores fields behind the thousandth. */
const MOST_FIELDS = 100;

/** How many characters of header fields a connection remembers, apart from one set that may come on top. */
const MOST_REMEMBERED = 4_096;

const HEAD_END = "\r\n\r\n";
const REQUEST_LINE = /^(POST|GET) (\/v1\/[\w/-]+) HTTP\/1\.1$/;
/** Visible ASCII characters with spaces between them, or nothing. */
const FIELD = /^([A-Za-z][A-Za-z0-9-]*): ?((?:[!-~](?:[ -~]*[!-~])?)?)$/;
const CONTENT_LENGTH = /^\d{1,5}$/;
/** Fields with which a request has another form or another end. */
const OTHER_FORMS = new Set(["expect", "proxy-connection", "trailer", "transfer-encoding", "upgrade"]);

/** A request that the fast path has read. It has what the API needs of a request of `node:http`, and its whole body. */
export class FastRequest {
  readonly httpVersion = "1.1";

  constructor(
    /** `POST` or `GET`. */
    readonly method: string,
    /** The path. There is no query. */
    readonly url: string,
    readonly headers: IncomingHttpHeaders,
    readonly body: Buffer,
    readonly socket: { readonly remoteAddress: string | undefined },
  ) {}
}

/** A request to the API, of `node:http` or of the fast path. */
export type ApiRequest = IncomingMessage | FastRequest;

/** The header fields of a request, and what they say of its body. */
interface Fields {
  /** How long their text is. */
  length: number;
  headers: IncomingHttpHeaders;
  bodyLength: number;
}

/**
 * Reads requests of the one form that nearly all programs send: `POST /v1/…` with a body of a given length, or `GET /v1/…`
 * without one, each header field once, in visible ASCII. What it accepts has one meaning only; it leaves everything else to the
 * parser of Node.js.
 */
export class RequestReader {
  /** Those of the requests before, by their text. A program sends few different ones: its bodies have several lengths. */
  readonly #known = new RecentMap<string, Fields>(MOST_REMEMBERED, ({ length }) => length);

  /**
   * @param socket the connection on which the requests arrive.
   * @param takesGet whether `GET` of a path is accepted.
   */
  constructor(
    private readonly socket: { readonly remoteAddress: string | undefined },
    private readonly takesGet: (path: string) => boolean,
  ) {}

  /**
   * @param bytes what has arrived since the end of the request before.
   * @returns the request; "incomplete" where only a part of the body is missing; "other" where Node.js must read the bytes.
   */
  read(bytes: Buffer): FastRequest | "incomplete" | "other" {
    const text = bytes.toString("latin1", 0, MOST_BYTES);
    const lineEnd = text.indexOf("\r\n");
    const headEnd = text.indexOf(HEAD_END, lineEnd);
    if (headEnd <= lineEnd) return "other";
    const [, method, path] = REQUEST_LINE.exec(text.slice(0, lineEnd)) ?? [];
    if (method === undefined || path === undefined) return "other";
    const isGet = method === "GET";
    if (isGet && !this.takesGet(path)) return "other";
    // What is remembered is a text of its own: a part of the whole one would keep all of that in memory, with the body.
    const head = bytes.toString("latin1", lineEnd + 2, headEnd);
    // A check has the key of its caller among its fields: the next one has another, and no key is kept in memory.
    const fields = isGet ? readFields(head) : this.#fieldsOf(head);
    if (fields === undefined || (isGet && fields.bodyLength > 0)) return "other";
    const body = bytes.subarray(headEnd + HEAD_END.length);
    if (body.length < fields.bodyLength) return "incomplete";
    if (body.length > fields.bodyLength) return "other";
    return new FastRequest(method, path, fields.headers, body, this.socket);
  }

  #fieldsOf(text: string): Fields | undefined {
    const known = this.#known.use(text);
    if (known) return known;
    const fields = readFields(text);
    if (fields) this.#known.set(text, fields);
    return fields;
  }
}

/** Undefined where the fast path does not know the form of a request with these fields. */
function readFields(text: string): Fields | undefined {
  const headers: Record<string, string> = {};
  const lines = text.split("\r\n");
  if (lines.length > MOST_FIELDS) return undefined;
  for (const line of lines) {
    const [, field, value] = FIELD.exec(line) ?? [];
    if (field === undefined || value === undefined) return undefined;
    const name = field.toLowerCase();
    if (name in headers || OTHER_FORMS.has(name)) return undefined;
    headers[name] = value;
  }
  const { host, connection = "keep-alive", "content-length": length = "0" } = headers;
  if (host === undefined || connection.toLowerCase() !== "keep-alive") return undefined;
  if (!CONTENT_LENGTH.test(length) || Number(length) > MOST_BYTES) return undefined;
  return { length: text.length, headers: Object.freeze(headers), bodyLength: Number(length) };
}
