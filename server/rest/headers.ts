import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { numberOf } from "../underflow";
import type { Route } from "./routes";

const DECIMAL_NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/**
 * The parameters of an endpoint that takes them in headers. Where a parameter is a number, decimal digits become a number;
 * any other text stays a text, which the schema refuses, and so does a header that is sent twice. An empty header counts
 * as absent: proxies send an empty one for a variable without a value.
 */
export function readHeaders(headers: IncomingHttpHeaders, { parameters, numbers }: Route): Record<string, unknown> {
  const sent = [...parameters].flatMap((name) => {
    const text = textOf(headers[name.toLowerCase()]?.toString() ?? "");
    return text === "" ? [] : [[name, text] as const];
  });
  return Object.fromEntries(
    sent.map(([name, text]) => [name, numbers.has(name) && DECIMAL_NUMBER.test(text) ? numberOf(text) : text]),
  );
}

/** Node.js reads each byte of a header as a character of Latin-1. Programs send the name of a model in UTF-8. */
function textOf(header: string): string {
  const bytes = Buffer.from(header, "latin1");
  return isUtf8(bytes) ? bytes.toString() : header;
}
