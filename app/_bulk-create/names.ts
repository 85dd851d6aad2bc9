import { MAX_CREATED } from "@/server/keys/schema";

/** The names in a text, one a line. Empty lines count for nothing. */
export function namesOfLines(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** `{n}` is the number; `{n:3}` is the number with at least three digits. */
const PLACE = /\{n(?::([1-9]))?\}/g;

/** What can be wrong with a pattern and its numbers. Each has its sentence in the messages. */
export type PatternFault = "noPlace" | "notCount" | "notFrom";

/** A pattern of names, as it is typed. */
export interface NamePattern {
  pattern: string;
  /** The first number. */
  from: string;
  /** How many names. */
  count: string;
}

/** What is wrong with each part of a pattern. The result is empty if nothing is wrong. */
export function faultsOfPattern({
  pattern,
  from,
  count,
}: NamePattern): Partial<Record<keyof NamePattern, PatternFault>> {
  const many = wholeNumber(count);
  return {
    ...(pattern.search(PLACE) < 0 && { pattern: "noPlace" as const }),
    ...(wholeNumber(from) === undefined && { from: "notFrom" as const }),
    ...((many === undefined || many < 1 || many > MAX_CREATED) && { count: "notCount" as const }),
  };
}

/** The names that a pattern without faults makes, in the order of their numbers. */
export function namesOfPattern({ pattern, from, count }: NamePattern): string[] {
  const first = wholeNumber(from) ?? 0;
  return Array.from({ length: wholeNumber(count) ?? 0 }, (_, i) =>
    pattern.replace(PLACE, (_, digits = "1") => String(first + i).padStart(Number(digits), "0")),
  );
}

/** Names that occur more than once. Nothing forbids that, but it is seldom meant. */
export function repeatedNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))];
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}
