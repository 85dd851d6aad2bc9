import { isTooMuchAtOnce } from "./failure";

/** Reads a further part of a file. A file that has begun is finished, so it waits for its turn as long as somebody wants it. */
export async function onTurn<Part>(read: () => Promise<Part>, isWanted: () => boolean): Promise<Part> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isTooMuchAtOnce(error) || !isWanted()) throw error;
    }
  }
}
