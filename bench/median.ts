/** The middle value; of an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** The median time of some work that is done so many times, one after another, in milliseconds. */
export async function medianTime(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  while (times.length < rounds) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return median(times);
}
