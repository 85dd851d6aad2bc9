import type { ZodType } from "zod";
import { type Examples, faultExample } from "../endpoint";
import { limitsOf } from "./apply";

/** The limits of a key that has none, for examples. */
export const NO_LIMIT_SET = limitsOf({});

/** Examples of what every endpoint that sets limits refuses. `target` are the parameters that name the keys. */
export function limitFaultExamples(schema: ZodType, target: object): Examples {
  return {
    noLimitGiven: faultExample("No limit parameter", schema, target),
    wrongType: faultExample("Wrong type", schema, { ...target, budget: "1000" }),
    negative: faultExample("Negative value", schema, { ...target, budget: -1 }),
    wrongDateFormat: faultExample("Wrong date format", schema, { ...target, expiry_date: "2027/12/31" }),
  };
}
