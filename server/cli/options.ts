import { z } from "zod";
import { UsageError } from "./usage";

/** The option `--account`: email or id of the account. */
export const accountOption = z.string().min(1, "required").optional();

/**
 * The options of a command, checked.
 * @throws {UsageError} which names each option at fault.
 */
export function checked<T>(options: z.ZodType<T>, given: object): T {
  const { data, error } = options.safeParse(given);
  if (error === undefined) return data;
  throw new UsageError(
    error.issues.map(({ path, message }) => `${path.join(".").replace(/[A-Z]/g, toOption)}: ${message}`).join("; "),
  );
}

/** `validFrom` is the option `--valid-from`. */
function toOption(letter: string): string {
  return `-${letter.toLowerCase()}`;
}
