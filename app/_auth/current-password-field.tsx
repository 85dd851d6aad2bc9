"use client";

import { useTranslations } from "use-intl/react";
import { PasswordField, type PasswordFieldProps } from "@/components/password-field";

/** The field for the password that the account has now. @param isChecked shows the fault of an empty field. */
export function CurrentPasswordField({
  isChecked,
  ...props
}: { isChecked: boolean } & Pick<PasswordFieldProps, "label" | "value" | "onChange" | "isFocusedFirst">) {
  const t = useTranslations("auth.faults");
  return (
    <PasswordField
      {...props}
      autoComplete="current-password"
      error={isChecked && props.value === "" ? t("noPassword") : undefined}
    />
  );
}
