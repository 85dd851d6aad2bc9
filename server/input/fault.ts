import type { core } from "zod";

/** What can be wrong with a parameter. The dashboard has words for each in `faults.codes` of app/_messages. */
export const FAULT_CODES = [
  "wrong_type",
  "wrong_form",
  "not_accepted",
  "not_one_of",
  "not_whole",
  "not_positive",
  "too_small",
  "too_large",
  "rounds_to_zero",
  "empty",
  "too_short",
  "too_long",
  "too_few",
  "too_many",
  "nul_character",
  "broken_surrogate",
  "not_email",
  "not_object_id",
  "not_date",
  "not_calendar_day",
  "year_too_early",
  "range_of_days",
  "unknown_time_zone",
  "nothing_sent",
  "exactly_one_of",
  "required_with",
  "not_with",
  "more_than_all",
  "group_missing",
  "gateway_address",
  "pattern_as_alias",
  "not_currency",
  "rate_missing",
  "rate_of_yuan",
  "same_price_twice",
  "column_missing",
  "column_unknown",
  "no_prices",
  "open_quote",
  "more_cells",
  "too_many_entries",
  "more_faults",
] as const;

export type FaultCode = (typeof FAULT_CODES)[number];

/** What is wrong with one parameter, for those who say it in another language than that of the sentence. */
export interface Fault {
  /** The parameter, with a dot between the steps of a path; empty for the whole input. */
  parameter: string;
  code: FaultCode;
  /** The values in the sentence. */
  values: Readonly<Record<string, string | number>>;
}

/** The form of a day in a request. */
export const DATE_FORM = /^\d{4}-\d{2}-\d{2}$/;
/** The form of an ObjectId in a request. */
export const OBJECT_ID_FORM = /^[0-9a-fA-F]{24}$/;

const FORMS = new Map<string | undefined, FaultCode>([
  [String(DATE_FORM), "not_date"],
  [String(OBJECT_ID_FORM), "not_object_id"],
]);

/**
 * The arguments of `.refine` behind the condition: the sentence in English, and the code with which the dashboard says it.
 * The faults of zod's own checks need none: `faultsOf` reads what they are.
 */
export function rule(code: FaultCode, sentence: string, values: Fault["values"] = {}) {
  return { error: sentence, params: { fault: { code, values } } };
}

/** The most faults that an error names. A list may have tens of thousands, and their text would be longer than the list. */
const MOST_TOLD = 100;

/**
 * The issues of an input that are told, at most 100, and how many more there are. That a whole number is too large to be exact is
 * none, where its parameter has a narrower bound of its own.
 */
export function toldIssues<Issue extends { path: readonly PropertyKey[]; origin?: unknown }>(
  issues: readonly Issue[],
): { told: Issue[]; more: number } {
  // The issues of a parameter stand behind each other. A list may have tens of thousands.
  const isAlone = (i: number) => !isOfOne(issues[i], issues[i - 1]) && !isOfOne(issues[i], issues[i + 1]);
  const all = issues.filter(({ origin }, i) => origin !== "int" || isAlone(i));
  return { told: all.slice(0, MOST_TOLD), more: Math.max(0, all.length - MOST_TOLD) };
}

/** Whether two issues are of one parameter. */
function isOfOne(
  one: { path: readonly PropertyKey[] } | undefined,
  other: { path: readonly PropertyKey[] } | undefined,
): boolean {
  return one?.path.length === other?.path.length && one?.path.every((step, i) => step === other?.path[i]) === true;
}

/** The faults of an input, as codes with their values. The last one says how many are not named. */
export function faultsOf(issues: readonly core.$ZodIssue[]): Fault[] {
  const { told, more } = toldIssues(issues);
  const faults: Fault[] = told.map((issue) => ({ parameter: issue.path.map(String).join("."), ...kindOf(issue) }));
  if (more > 0) faults.push({ parameter: "", code: "more_faults", values: { count: more } });
  return faults;
}

function kindOf(issue: core.$ZodIssue): Omit<Fault, "parameter"> {
  switch (issue.code) {
    case "custom":
      return issue.params?.fault ?? { code: "not_accepted", values: {} };
    case "invalid_type":
      return issue.expected === "int"
        ? { code: "not_whole", values: {} }
        : { code: "wrong_type", values: { type: issue.expected } };
    case "invalid_value":
      return { code: "not_one_of", values: { choices: issue.values.map(String).join(", ") } };
    case "too_small":
      if (!issue.inclusive) return { code: "not_positive", values: {} };
      return lowerBound(issue.origin, Number(issue.minimum));
    case "too_big":
      return upperBound(issue.origin, Number(issue.maximum));
    case "invalid_format":
      if (issue.format === "email") return { code: "not_email", values: {} };
      return { code: FORMS.get(issue.pattern) ?? "wrong_form", values: {} };
    default:
      return { code: "not_accepted", values: {} };
  }
}

function lowerBound(origin: string, least: number): Omit<Fault, "parameter"> {
  if (origin === "string")
    return least === 1 ? { code: "empty", values: {} } : { code: "too_short", values: { least } };
  return { code: origin === "array" ? "too_few" : "too_small", values: { least } };
}

function upperBound(origin: string, most: number): Omit<Fault, "parameter"> {
  if (origin === "string") return { code: "too_long", values: { most } };
  return { code: origin === "array" ? "too_many" : "too_large", values: { most } };
}
