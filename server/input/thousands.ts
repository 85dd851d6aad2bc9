/**
 * A whole number as sentences of the API say it, for example 100,000. The schemas need it when they are loaded, and
 * `toLocaleString` loads the rules of all languages first: a tenth of the processor time of a start.
 */
export function withThousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}
