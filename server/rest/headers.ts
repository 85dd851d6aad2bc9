import type { IncomingHttpHeaders } from "node:http";
import type { Route } from "./routes";

const DECIMAL_NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/**
 * The parameters of an operation that stand in headers. Where it wants a number, one in decimal digits becomes one, and
 * any other text stays what it is, for the operation to refuse; so does one that is there twice. An empty header is none:
 * proxies send a variable that holds nothing so.
 */
export function readHeaders(headers: IncomingHttpHeaders, { parameters, numbers }: Route): Record<string, unknown> {
  const sent = [...parameters].flatMap((name) => {
    const text = headers[name.toLowerCase()]?.toString() ?? "";
    return text === "" ? [] : [[name, text] as const];
  });
  return Object.fromEntries(
    sent.map(([name, text]) => [name, numbers.has(name) && DECIMAL_NUMBER.test(text) ? Number(text) : text]),
  );
}
