/** A part of the benchmark. It can run alone; its figures are kept until it runs again. */
export interface Part<Figures> {
  /** Its name on the command line, and of its file in bench/results. */
  name: string;
  /** Whether it runs only when it is named, because it takes long. */
  isOnRequest?: boolean;
  /**
   * Measures in a folder of its own.
   * @returns figures that JSON can keep.
   */
  measure(folder: string): Promise<Figures>;
  /** Its section of bench/results.md, in Markdown, from the second heading on. */
  report(figures: Figures): string;
  /** What its figures must reach. */
  targets(figures: Figures): Target[];
  /** Further files beside bench/results.md, by path. */
  files?(figures: Figures): Record<string, string>;
}

/** A figure that must reach a bound. */
export interface Target {
  title: string;
  /** What was measured, in words. */
  value: string;
  /** The bound, in words. */
  bound: string;
  isMet: boolean;
}

/** A target that is a least number. */
export function atLeast(title: string, value: number, bound: number): Target {
  return { title, value: value.toFixed(2), bound: `≥ ${bound}`, isMet: value >= bound };
}

/** A target that is a greatest number of some unit. */
export function atMost(title: string, value: number, bound: number, unit = ""): Target {
  const digits = bound < 10 ? 2 : 0;
  const words = (number: number | string) => (unit ? `${number} ${unit}` : `${number}`);
  return { title, value: words(value.toFixed(digits)), bound: `≤ ${words(bound)}`, isMet: value <= bound };
}
