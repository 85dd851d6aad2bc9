import type { Failure } from "../errors/failure";
import { requestErrors } from "../errors/request-errors";

/**
 * Why a new password of allowed length is refused (docs/api.md#sign-in); `undefined` when it may be set. The rules are
 * loaded with the first password, because they contain a list of 50,000, and most processes never need them.
 * @param parameter the one that has the password.
 */
export async function passwordRefusal(
  parameter: string,
  password: string,
  email: string,
): Promise<Failure | undefined> {
  const { judgePassword } = await import("./password-strength");
  switch (judgePassword(password, email).fault) {
    case "tooCommon":
      return requestErrors.passwordTooCommon(parameter);
    case "madeOfEmail":
      return requestErrors.passwordMadeOfEmail(parameter);
    default:
      return undefined;
  }
}
