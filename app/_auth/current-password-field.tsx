"use client";

import { useTranslations } from "use-intl/react";
import { TextField, type TextFieldProps } from "@/components/text-field";

/** The field for the password that the account has now. @param isChecked shows the fault of an empty field. */
export function CurrentPasswordField({
  isChecked,
  ...props
}: { isChecked: boolean } & Pick<TextFieldProps, "label" | "value" | "onChange" | "isFocusedFirst">) {
  const t = useTranslations("auth.faults");
  return (
    <TextField
      {...props}
      type="password"
      autoComplete="current-password"
      error={isChecked && props.value === "" ? t("noPassword") : undefined}
      isRequired
    />
  );
}
