import { z } from "zod";
import { expected } from "./expectation";
import { rule } from "./fault";

/** A day of the calendar in a range or a filter: YYYY-MM-DD, from the year 1000 on. */
export const day = z.iso
  .date({
    error: (issue) =>
      issue.code === "invalid_type"
        ? expected("string (YYYY-MM-DD)")(issue)
        : "must be a date in the format YYYY-MM-DD",
    abort: true,
  })
  .refine((date) => date >= "1000-01-01", rule("year_too_early", "must be of the year 1000 or later"));
