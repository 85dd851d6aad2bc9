const WARNS_FROM = 0.7;
const ENDANGERED_FROM = 0.9;

/**
 * How the bar of a limit looks: a warning from 70 % on, danger from 90 % on, otherwise plain.
 * @param share what is used of the limit, 1 for all of it.
 */
export function usageTone(share: number): "warn" | "danger" | undefined {
  if (share >= ENDANGERED_FROM) return "danger";
  return share >= WARNS_FROM ? "warn" : undefined;
}
