"use client";

import { useDeferredValue, useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { PasswordField } from "@/components/password-field";
import type { judgePassword, PasswordFault } from "@/server/auth/password-strength";
import { PASSWORD_LENGTH } from "@/server/auth/schema";
import { PasswordStrengthBar } from "./password-strength-bar";

type Judge = typeof judgePassword;

/** A new password that is being typed. Its fault shows after `check`. @param email the address of the account. */
export function useNewPassword(email: string) {
  const t = useTranslations("auth.faults");
  const [value, setValue] = useState("");
  const [isChecked, setChecked] = useState(false);
  const judge = useJudge(value !== "");
  const fault = judge ? judge(value, email).fault : lengthFault(value);
  // The estimate may take longer than a keystroke.
  const shown = useDeferredValue(value);
  return {
    value,
    /** What the bar shows; absent before the rules are loaded. */
    judgement: shown === "" ? undefined : judge?.(shown, email),
    /** The sentence to show at the field. */
    error: isChecked && fault ? t(fault, PASSWORD_LENGTH) : undefined,
    change: setValue,
    /** Shows the fault, and returns whether there is none. The server judges too, in case the rules were not loaded. */
    check: () => {
      setChecked(true);
      return fault === undefined;
    },
    clear: () => {
      setValue("");
      setChecked(false);
    },
  };
}

/** The field for a new password, with the rule for its length and a bar for its strength. */
export function NewPasswordField({
  label,
  password: { value, error, judgement, change },
}: {
  label: string;
  password: ReturnType<typeof useNewPassword>;
}) {
  const t = useTranslations("auth");
  return (
    <div className="grid gap-2">
      <PasswordField
        label={label}
        hint={t("passwordHint", PASSWORD_LENGTH)}
        autoComplete="new-password"
        value={value}
        onChange={change}
        error={error}
      />
      <PasswordStrengthBar judgement={judgement} />
    </div>
  );
}

/** The rules, once they are loaded. They contain a list of 50,000 passwords, so no page loads them before they are needed. */
function useJudge(isNeeded: boolean): Judge | undefined {
  const [judge, setJudge] = useState<Judge>();
  useEffect(() => {
    if (!isNeeded || judge) return;
    let isWanted = true;
    import("@/server/auth/password-strength").then(
      (rules) => isWanted && setJudge(() => rules.judgePassword),
      // Without the rules there is no bar, and the server alone refuses the password.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [isNeeded, judge]);
  return judge;
}

function lengthFault({ length }: string): PasswordFault | undefined {
  if (length < PASSWORD_LENGTH.min) return "tooShort";
  return length > PASSWORD_LENGTH.max ? "tooLong" : undefined;
}
