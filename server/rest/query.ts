import type { Route } from "./routes";

const WHOLE_NUMBER = /^-?(0|[1-9]\d{0,14})$/;

/**
 * The parameters of a request's query that the operation knows; others are ignored. Everything in an address is text:
 * where the operation wants a number, a whole number in digits becomes one, and any other text stays what it is, for the
 * operation to refuse. A parameter that is there more than once becomes an array, which none accepts.
 */
export function readQuery(url: string, { parameters, numbers }: Route): Record<string, unknown> {
  const start = url.indexOf("?");
  if (start < 0) return {};
  const query = new URLSearchParams(url.slice(start));
  const known = [...new Set(query.keys())].filter((name) => parameters.has(name));
  return Object.fromEntries(
    known.map((name) => {
      const [value = "", ...more] = query.getAll(name);
      if (more.length > 0) return [name, [value, ...more]];
      return [name, numbers.has(name) && WHOLE_NUMBER.test(value) ? Number(value) : value];
    }),
  );
}
