/** The ticks of an axis of amounts: about four round steps from 0 up to the greatest amount or more. */
export function axisTicks(greatest: number): number[] {
  if (greatest <= 0) return [0];
  const rough = greatest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const count = Math.ceil(greatest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}
