import type { Route } from "./routes";

const WHOLE_NUMBER = /^-?(0|[1-9]\d*)$/;

/**
 * The parameters in the query of a request that the endpoint knows; others are ignored. Where a parameter is a number,
 * a whole number in digits becomes a number; any other text stays a text, which the schema refuses. A parameter that is
 * sent more than once becomes an array, which no schema accepts.
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
