import { z } from "zod";
import { expected } from "./expectation";
import { DATE_FORM, rule } from "./fault";

/** A day of the calendar: YYYY-MM-DD, from the year 1000 on. */
export const day = z
  .string({ error: expected("string (YYYY-MM-DD)") })
  .regex(DATE_FORM, { error: "must be a date in the format YYYY-MM-DD", abort: true })
  .refine((date) => z.iso.date().safeParse(date).success, {
    ...rule("not_calendar_day", "is not a day of the calendar"),
    abort: true,
  })
  .refine((date) => date >= "1000-01-01", rule("year_too_early", "must be of the year 1000 or later"))
  .meta({ format: "date" });
