/** Orders names by code points, as PostgreSQL does, so that the order is the same everywhere. */
export function byCodePoint(a: string, b: string): number {
  let place = 0;
  while (place < a.length && a.charCodeAt(place) === b.charCodeAt(place)) place++;
  if (place === a.length || place === b.length) return a.length - b.length;
  return rankOf(a.charCodeAt(place)) - rankOf(b.charCodeAt(place));
}

/** The halves of a surrogate pair are parts of the highest code points, and are not the highest units. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
