import { text } from "node:stream/consumers";
import { Refusal } from "./refusal";

/**
 * The password on the standard input. A newline at the end is no part of it.
 * @throws {Refusal} for more than one line: the field of a sign-in takes no newline, so nobody could type that password.
 */
export async function passwordFromInput(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, "");
  if (/[\r\n]/.test(password)) throw new Refusal("password: must be one line");
  return password;
}
