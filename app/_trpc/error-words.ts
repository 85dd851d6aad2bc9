import { useTranslations } from "use-intl/react";
import { errors } from "@/server/errors/catalogue";
import { failureOf } from "./failure";

/** Why a change of many keys can leave one of them out. Its answer has the reason in English alone. */
const REASONS = [
  errors.noSuchKey(),
  errors.keyRevoked(),
  errors.defaultKeyHasNoGroup(),
  errors.defaultKeyNotDisabled(),
  errors.defaultKeyNotRevoked(),
];

/** The words for an error of a query or a mutation. Where there is no translation, they are the server's own. */
export function useFailureText(): (error: unknown) => string {
  const t = useTranslations();
  return (error) => {
    const failure = failureOf(error);
    if (!("sentence" in failure)) return t(failure.kind === "signed-out" ? "failure.signedOut" : "failure.unreachable");
    const { code, values, sentence } = failure;
    const key = `errors.${code}` as "errors.internal_error";
    return t.has(key) ? t(key, values) : sentence;
  };
}

/** The words for the reason why a change of many keys has left a key out. */
export function useReasonText(): (reason: string) => string {
  const t = useTranslations("errors");
  return (reason) => {
    const known = REASONS.find((failure) => failure.reason === reason);
    return known ? t(known.code) : reason;
  };
}
