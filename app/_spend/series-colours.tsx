/** The colours of the columns, largest column first. A seventh column has the first colour again, hatched. */
const COLOURS = [1, 2, 3, 4, 5, 6].map((number) => `var(--series-${number})`);
const REST_COLOUR = "var(--series-rest)";
const HATCH_PX = 6;
/** The dashes of the line of the days before. */
export const LINE_DASHES = "3 3";

/** The colour of a column, and whether it is hatched. */
export function fillOf(place: number, isRest: boolean): { colour: string; isHatched: boolean } {
  if (isRest) return { colour: REST_COLOUR, isHatched: false };
  return { colour: COLOURS[place % COLOURS.length] ?? REST_COLOUR, isHatched: place >= COLOURS.length };
}

/** Strokes over a colour. They tell columns apart for readers who do not see the difference of two hues. */
export function HatchPattern({ id, colour }: { id: string; colour: string }) {
  return (
    <pattern id={id} width={HATCH_PX} height={HATCH_PX} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width={HATCH_PX} height={HATCH_PX} fill={colour} />
      <rect width={HATCH_PX / 3} height={HATCH_PX} fill="var(--raised)" />
    </pattern>
  );
}

/** A small square in the fill of a column. It stands beside the name of the column. */
export function Swatch({ place, isRest }: { place: number; isRest: boolean }) {
  const { colour, isHatched } = fillOf(place, isRest);
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className="inline-block size-3 shrink-0 overflow-hidden rounded-[3px]">
      <rect width="12" height="12" fill={colour} />
      {isHatched && <path d="M-2 8 8 -2M-1 15 15 -1M6 16 16 6" stroke="var(--raised)" strokeWidth="2" />}
    </svg>
  );
}

/** A short piece of the line of the days before. It stands beside the name of these days. */
export function LineSwatch() {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className="inline-block size-3 shrink-0">
      <line x2="12" y1="6" y2="6" stroke="currentColor" strokeWidth="1.5" strokeDasharray={LINE_DASHES} />
    </svg>
  );
}
