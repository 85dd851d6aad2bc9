/** `npm run bench -- --quick`: short rounds and small data, to try a change of the benchmark itself. Nothing is written. */
export const isQuick = process.argv.includes("--quick");

/** The size that a part uses: the whole one, or the one of a quick run. */
export function sized(whole: number, quick: number): number {
  return isQuick ? quick : whole;
}
