import { text } from "node:stream/consumers";

/** The password on the standard input. A newline at the end is no part of it. */
export async function passwordFromInput(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, "");
}
