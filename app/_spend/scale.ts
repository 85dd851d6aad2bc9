/** Amounts are whole billionths of a yuan. A line between two of them would have the label of one. */
const BILLIONTHS = 1e9;

/** The ticks of an axis of amounts: about four round steps from 0 up to the greatest amount or more. */
export function axisTicks(greatest: number): number[] {
  if (greatest <= 0) return [0];
  const rough = Math.max((greatest * BILLIONTHS) / 4, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [1, 2, 2.5, 5].map((factor) => factor * power);
  const step = steps.find((each) => each >= rough && Number.isInteger(each)) ?? 10 * power;
  const count = Math.ceil((greatest * BILLIONTHS) / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number(((index * step) / BILLIONTHS).toPrecision(12)));
}
