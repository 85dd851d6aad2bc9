import { once } from "node:events";
import { ServerResponse } from "node:http";
import type { Answer } from "./answer";

/** A part of a file, as a procedure answers it. */
export interface FilePart {
  /** Media type of the file. */
  type: string;
  name: string;
  text: string;
  /** What the next part begins after; `null`: this is the last part. */
  next: string | null;
}

/**
 * Writes a file part by part, each when the client has taken the one before, so that its size does not matter. When a part
 * fails, the error is thrown, and the answer breaks off: a client sees that it is not whole. The fast path leaves a GET of a
 * file to `node:http`.
 */
export async function writeFile(
  response: Answer,
  first: FilePart,
  readNext: (after: string) => Promise<unknown>,
  headers: readonly string[],
): Promise<void> {
  if (!(response instanceof ServerResponse)) throw new TypeError("a file is written to an answer of node:http alone");
  const disposition = `attachment; filename="${first.name}"`;
  response.writeHead(200, [...headers, "Content-Type", first.type, "Content-Disposition", disposition]);
  const stopped = new AbortController();
  response.once("close", () => stopped.abort());
  for (let part = first; !stopped.signal.aborted; ) {
    if (!response.write(part.text)) await once(response, "drain", { signal: stopped.signal }).catch(() => {});
    if (part.next === null) break;
    part = (await readNext(part.next)) as FilePart;
  }
  response.end();
}
