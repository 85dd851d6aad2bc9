/** Enough for all formats of both languages, with the zones of several readers on a server. */
const MOST_KEPT = 200;

/** The number format of a language. */
export const numberFormat = keeping<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat);

/** The format of days and times of a language. */
export const dateTimeFormat = keeping<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(Intl.DateTimeFormat);

/** The format of "3 minutes ago" of a language. */
export const relativeTimeFormat = keeping<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  Intl.RelativeTimeFormat,
);

/** Makes each format once: to make one takes 20 to 100 times as long as to use it, and a page uses hundreds. */
function keeping<Options, Format>(Maker: new (language: string, options: Options) => Format) {
  const kept = new Map<string, Format>();
  return (language: string, options: Options): Format => {
    const name = JSON.stringify([language, options]);
    const known = kept.get(name);
    if (known) return known;
    if (kept.size === MOST_KEPT) kept.clear();
    const made = new Maker(language, options);
    kept.set(name, made);
    return made;
  };
}
