"use client";

import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl/react";
import { CurrentPasswordField } from "@/app/_auth/current-password-field";
import { FormDialog, type FormDialogProps } from "@/components/form-dialog";

/** Asks for the password, so that nobody who borrows the browser can do the work. */
export function PasswordDialog({
  onPassword,
  ...dialog
}: {
  title: string;
  description: ReactNode;
  action: string;
  isDanger: boolean;
  isAnsweredOnce: boolean;
  Failure: FormDialogProps["Failure"];
  onPassword(password: string): Promise<void>;
  onClose(): void;
}) {
  const t = useTranslations("auth");
  const [password, setPassword] = useState("");
  const [isChecked, setChecked] = useState(false);
  return (
    <FormDialog
      {...dialog}
      width="small"
      check={() => {
        setChecked(true);
        return password !== "";
      }}
      onSubmit={() => onPassword(password)}
    >
      <CurrentPasswordField
        label={t("password")}
        value={password}
        onChange={setPassword}
        isChecked={isChecked}
        isFocusedFirst
      />
    </FormDialog>
  );
}
