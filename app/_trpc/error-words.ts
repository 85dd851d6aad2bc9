import { useTranslations } from "use-intl/react";
import type { Fault } from "@/server/input/fault";
import { failureOf } from "./failure";
import type { ToldFailure } from "./told-failure";

/** Between the steps of a path. A name in brackets may have dots of its own. */
const STEPS = /\.(?![^(]*\))/;

/** The words for an error of a query or a mutation. */
export function useFailureText(): (error: unknown) => string {
  const t = useTranslations("failure");
  const textOf = useToldFailureText();
  return (error) => {
    const failure = failureOf(error);
    if (failure.kind === "signed-out") return t("signedOut");
    if (!("status" in failure)) return t("unreachable");
    return textOf(failure) ?? t("refused", { status: failure.status });
  };
}

/** The words for a failure by its code, and for each fault of an input; `undefined` where the code has none. */
export function useToldFailureText(): (failure: ToldFailure) => string | undefined {
  const t = useTranslations("errors");
  const faultText = useFaultText();
  return ({ code = "", values, faults = [] }) => {
    if (faults.length > 0) return faults.map(faultText).join("\n");
    const key = code as "internal_error";
    return t.has(key) ? t(key, values) : undefined;
  };
}

/** The words for the reason why a change of many keys has left a key out. */
export function useReasonText(): (reason: ToldFailure) => string {
  const t = useTranslations("failure");
  const textOf = useToldFailureText();
  return (reason) => textOf(reason) ?? t("unknownReason");
}

function useFaultText(): (fault: Fault) => string {
  const t = useTranslations("faults");
  const nameOf = (part: string) => {
    if (/^\d+$/.test(part)) return t("place", { place: Number(part) + 1 });
    // The place in a file, after which the name of what stands there may follow.
    const [, line, name] = /^line (\d+)(?: \((.*)\))?$/s.exec(part) ?? [];
    if (line !== undefined) return name === undefined ? t("line", { line }) : t("lineOf", { line, name });
    const key = `parameters.${part}` as "parameters.name";
    return t.has(key) ? t(key) : part;
  };
  return ({ parameter, code, values }) => {
    const key = `codes.${code}` as "codes.empty";
    const text = t.has(key) ? t(key, values) : t("codes.not_accepted");
    if (parameter === "") return text;
    const place = parameter
      .split(STEPS)
      .map(nameOf)
      .reduce((whole, part) => t("within", { whole, part }));
    return t("one", { parameter: place, text });
  };
}
