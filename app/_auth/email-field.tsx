"use client";

import { useTranslations } from "use-intl/react";
import { TextField } from "@/components/text-field";

/** The field for the email of an account. @param isWrong shows that an email is missing. */
export function EmailField({
  value,
  onChange,
  isWrong,
}: {
  value: string;
  onChange(email: string): void;
  isWrong: boolean;
}) {
  const t = useTranslations("auth");
  return (
    <TextField
      label={t("email")}
      type="email"
      autoComplete="username"
      value={value}
      onChange={onChange}
      error={isWrong ? t("faults.noEmail") : undefined}
      isRequired
    />
  );
}
