import { STATUS_CODES } from "node:http";

const IN_FIELD = /^[\t -~]*$/;

/** An answer of the fast path, in one piece. It has those methods of an answer of `node:http` that the API calls. */
export class FastAnswer {
  /** As in `node:http`: the head is made, and cannot change any more. */
  headersSent = false;
  #isSent = false;
  readonly #fields = new Map<string, string>();
  #head = "";

  /**
   * @param connection the header fields about the connection, each with the end of its line.
   * @param send sends the text of the whole answer.
   * @param close ends the connection.
   */
  constructor(
    private readonly connection: string,
    private readonly send: (text: string) => void,
    private readonly close: () => void,
  ) {}

  /**
   * Names are written in the same letter case everywhere.
   * @throws {TypeError} for a value that would end its line.
   */
  setHeader(name: string, value: string | number): void {
    const text = String(value);
    if (!IN_FIELD.test(text)) throw new TypeError(`the header ${name} has a character that is not allowed`);
    this.#fields.set(name, text);
  }

  /**
   * @param fields further headers: names and values in turn.
   * @throws {Error} when there is a head already.
   */
  writeHead(status: number, fields: readonly string[]): this {
    if (this.headersSent) throw new Error("the head of the answer is written already");
    this.headersSent = true;
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
    for (const [name, value] of this.#fields) if (!fields.includes(name)) head += lineOf(name, value);
    for (let i = 0; i < fields.length; i += 2) head += lineOf(fields[i] ?? "", fields[i + 1] ?? "");
    this.#head = head;
    return this;
  }

  /** @throws {Error} when the answer was sent already: the connection may have another request by now. */
  end(body = ""): void {
    if (this.#isSent) throw new Error("the answer is sent already");
    this.#isSent = true;
    this.send(`${this.#head}Date: ${httpDate()}\r\n${this.connection}\r\n${body}`);
  }

  /** Ends the connection, unless the answer was sent. */
  destroy(): void {
    if (!this.#isSent) this.close();
  }
}

/** The line that each field had last, by its name. There are as many names as the code has. */
const lines = new Map<string, { value: string; line: string }>();

/** A line of the head. Most fields have the same value in every answer, and to join texts anew each time costs more. */
function lineOf(name: string, value: string): string {
  const last = lines.get(name);
  if (last?.value === value) return last.line;
  const line = `${name}: ${value}\r\n`;
  lines.set(name, { value, line });
  return line;
}

let second = 0;
let date = "";

/** The time for a `Date` header. It is made once for each second. */
function httpDate(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1000).toUTCString();
  }
  return date;
}
