"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { TextField } from "@/components/text-field";
import { PASSWORD_LENGTH } from "@/server/auth/schema";

/** A new password that is being typed. Its fault shows after `check`. */
export function useNewPassword() {
  const t = useTranslations("auth.faults");
  const [value, setValue] = useState("");
  const [isChecked, setChecked] = useState(false);
  const { length } = value;
  const fault =
    length < PASSWORD_LENGTH.min ? "tooShort" : length > PASSWORD_LENGTH.max ? ("tooLong" as const) : undefined;
  return {
    value,
    /** The sentence to show at the field. */
    error: isChecked && fault ? t(fault, PASSWORD_LENGTH) : undefined,
    change: setValue,
    /** Shows the fault, and returns whether there is none. */
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

/** The field for a new password, with the rule for its length. */
export function NewPasswordField({
  label,
  password: { value, error, change },
}: {
  label: string;
  password: ReturnType<typeof useNewPassword>;
}) {
  const t = useTranslations("auth");
  return (
    <TextField
      label={label}
      hint={t("passwordHint", PASSWORD_LENGTH)}
      type="password"
      autoComplete="new-password"
      value={value}
      onChange={change}
      error={error}
      isRequired
    />
  );
}
