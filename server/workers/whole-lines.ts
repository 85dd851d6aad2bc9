const LINE_FEED = 0x0a;

/** Cuts what a process writes into whole lines, so that lines of several processes never mix. */
export class WholeLines {
  #rest: Buffer[] = [];

  /** The lines that are complete with this chunk. Empty: there is none. */
  add(chunk: Buffer): string {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) {
      this.#rest.push(chunk);
      return "";
    }
    const lines = Buffer.concat([...this.#rest, chunk.subarray(0, end)]).toString();
    this.#rest = end < chunk.length ? [chunk.subarray(end)] : [];
    return lines;
  }

  /** What is left of a line when the process has ended, as a line. */
  end(): string {
    const rest = Buffer.concat(this.#rest).toString();
    this.#rest = [];
    return rest === "" ? "" : `${rest}\n`;
  }
}
