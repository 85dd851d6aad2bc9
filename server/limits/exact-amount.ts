import { unitsOf, unitsOfDecimal } from "./units";

/**
 * An amount that no number of JavaScript holds to its last decimal. Requests bring none; a relative change of a limit of
 * 8,388,608 yuan or more can make one. What is written back must not lose it.
 */
export class ExactAmount {
  constructor(readonly decimal: string) {}
}

/** An amount to its last decimal: a number wherever one holds it. @param decimal as PostgreSQL writes it. */
export function exactAmount(decimal: string): number | ExactAmount {
  const number = Number(decimal);
  return unitsOf(number) === unitsOfDecimal(decimal) ? number : new ExactAmount(decimal);
}

/** Whether two plain values or exact amounts are the same. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one instanceof ExactAmount && other instanceof ExactAmount) return one.decimal === other.decimal;
  return one === other;
}

/** The text of plain JSON in which amounts may be exact: PostgreSQL reads all digits of a number. */
export function exactJson(value: unknown): string {
  if (value instanceof ExactAmount) return value.decimal;
  if (Array.isArray(value)) return `[${value.map(exactJson).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}:${exactJson(each)}`)
    .join()}}`;
}
