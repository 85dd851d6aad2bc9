import { z } from "zod";
import { expected } from "./expectation";
import { DATE_FORM, rule } from "./fault";

const WRONG_FORM = "must be a date in the format YYYY-MM-DD";
const isLateEnough = (date: string) => date >= "1000-01-01";
const YEAR_TOO_EARLY = rule("year_too_early", "must be of the year 1000 or later");

/** A day of the calendar in a range or a filter: YYYY-MM-DD, from the year 1000 on. */
export const day = z.iso
  .date({
    error: (issue) => (issue.code === "invalid_type" ? expected("string (YYYY-MM-DD)")(issue) : WRONG_FORM),
    abort: true,
  })
  .refine(isLateEnough, YEAR_TOO_EARLY);

/** The same where a wrong form and a day that does not exist are told apart. */
export const calendarDay = z
  .string({ error: expected("string (YYYY-MM-DD)") })
  .regex(DATE_FORM, { error: WRONG_FORM, abort: true })
  .refine((date) => z.iso.date().safeParse(date).success, {
    ...rule("not_calendar_day", "is not a day of the calendar"),
    abort: true,
  })
  .refine(isLateEnough, YEAR_TOO_EARLY);
