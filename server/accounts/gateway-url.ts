import { z } from "zod";
import { expected } from "../input/expectation";

const MAX_LENGTH = 500;

/**
 * The address of a gateway, as clients of the models are configured with it: `https://gateway.example.com/v1`. It stands in
 * commands and programs that are copied, so it has no character that a shell or a program could read as its own.
 */
export const gatewayUrl = z
  .string({ error: expected("string") })
  .trim()
  .max(MAX_LENGTH, { error: `must be at most ${MAX_LENGTH} characters long` })
  .refine(isPlainAddress, {
    error: "must be http:// or https://, a host and perhaps a path, without a password, a query or a fragment",
  })
  .overwrite((url) => url.replace(/\/+$/, ""));

function isPlainAddress(text: string): boolean {
  if (!/^https?:\/\/[\w.~:/[\]%-]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}
