import { isUtf8 } from "node:buffer";
import { buffer } from "node:stream/consumers";
import { Refusal } from "./refusal";

/**
 * The password on the standard input. A newline at the end is no part of it.
 * @throws {Refusal} for more than one line, and for another encoding than UTF-8: nobody could type that password at a sign-in.
 */
export async function passwordFromInput(): Promise<string> {
  const bytes = await buffer(process.stdin);
  if (!isUtf8(bytes)) throw new Refusal("password: must be in UTF-8");
  // The decoder leaves out the mark that some editors put before a text.
  const password = new TextDecoder().decode(bytes).replace(/\r?\n$/, "");
  if (/[\r\n]/.test(password)) throw new Refusal("password: must be one line");
  return password;
}
