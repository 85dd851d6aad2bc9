/**
 * How many parameters a body has at least: the size of the smallest part of an example that is accepted by itself. A rule
 * such as "at least one limit" or "exactly one of two" is in no schema, so it is tried.
 * @param isAccepted whether a body passes the input schema.
 * @param examples bodies that are accepted.
 */
export function smallestBody(isAccepted: (body: object) => boolean, examples: readonly object[]): number {
  return Math.min(...examples.map((example) => smallestPart(isAccepted, Object.entries(example))));
}

function smallestPart(isAccepted: (body: object) => boolean, entries: readonly [string, unknown][]): number {
  const size = entries.findIndex((_, count) =>
    partsOf(entries, count).some((part) => isAccepted(Object.fromEntries(part))),
  );
  return size < 0 ? entries.length : size;
}

/** Every choice of so many of the entries. */
function partsOf<Entry>(entries: readonly Entry[], count: number): Entry[][] {
  if (count === 0) return [[]];
  return entries.flatMap((entry, place) =>
    partsOf(entries.slice(place + 1), count - 1).map((part) => [entry, ...part]),
  );
}
