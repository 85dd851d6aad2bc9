import { toldIssues } from "./fault";

/**
 * The words of a type error: what was expected and what was received (docs/api.md#errors), for zod's `error` option.
 * They never repeat the value: it may be a secret in the wrong field.
 */
export function expected(type: string): (issue: { input?: unknown }) => string {
  return ({ input }) => `expected ${type}, received ${typeName(input)}`;
}

/** The same for a choice. A text that is none of it has the right type. */
export function expectedOneOf(choices: readonly string[]): (issue: { input?: unknown }) => string {
  const described = `one of ${choices.join(", ")}`;
  return (issue) => (typeof issue.input === "string" ? `must be ${described}` : expected(described)(issue));
}

/** The same for a strict object, which refuses a name that it does not know: a misspelt one would mean more than was asked for. */
export function expectedOnly(
  names: readonly string[],
): (issue: { code?: string | undefined; input?: unknown }) => string {
  const described = `object with nothing but ${names.join(", ")}`;
  return (issue) => (issue.code === "unrecognized_keys" ? `must be an ${described}` : expected(described)(issue));
}

function typeName(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number" && !Number.isFinite(value)) return "a number that is not finite";
  return typeof value;
}

/**
 * The faults of an input in one sentence: `budget: must be 0 or more; keys[3].name: expected string, received number`. Places
 * in lists are counted from 0. Behind the first 100 it says how many more there are.
 */
export function describeFaults(
  issues: readonly { path: readonly PropertyKey[]; message: string; origin?: unknown }[],
): string {
  const { told, more } = toldIssues(issues);
  const sentences = told.map(({ path, message }) => (path.length === 0 ? message : `${placeOf(path)}: ${message}`));
  if (more > 0) sentences.push(`and ${more} more ${more === 1 ? "fault" : "faults"}`);
  return sentences.join("; ");
}

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((step, i) => (typeof step === "number" ? `[${step}]` : `${i > 0 ? "." : ""}${String(step)}`))
    .join("");
}
