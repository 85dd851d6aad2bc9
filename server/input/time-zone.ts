import { z } from "zod";
import { expected } from "./expectation";
import { rule } from "./fault";

/** The zone of an account, by its IANA name in any letter case. Whether the database knows it too is asked of the database. */
export const timeZone = z
  .string({ error: expected("string") })
  .refine(isTimeZone, rule("unknown_time_zone", "must be an IANA time zone, for example Asia/Shanghai"))
  .meta({
    description: "IANA time zone in which the account's days and months begin and end.",
    examples: ["Asia/Shanghai"],
  });

/** Whether it is a name of the IANA list. An offset is not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
