"use client";

import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl/react";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { useAttempt } from "@/components/use-attempt";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { TextField } from "@/components/text-field";

/** Asks for the password before something that a borrowed browser must not do. */
export function PasswordDialog({
  title,
  text,
  action,
  isDanger = false,
  onPassword,
  onClose,
}: {
  title: string;
  text: ReactNode;
  /** The words of the button. */
  action: string;
  isDanger?: boolean;
  onPassword(password: string): Promise<void>;
  onClose(): void;
}) {
  const t = useTranslations("auth");
  const words = useTranslations("components.dialog");
  const [password, setPassword] = useState("");
  const [isChecked, setChecked] = useState(false);
  const { attempt, error, isPending } = useAttempt(() => onPassword(password));
  return (
    <Dialog
      isOpen
      width="small"
      title={title}
      description={text}
      onClose={() => !isPending && onClose()}
      onSubmit={() => {
        setChecked(true);
        if (password) attempt();
      }}
      footer={
        <>
          <Button onPress={onClose} isDisabled={isPending}>
            {words("cancel")}
          </Button>
          <Button variant={isDanger ? "danger" : "primary"} type="submit" isPending={isPending}>
            {action}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <AuthFailureNotice error={error} />
        <TextField
          label={t("password")}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={isChecked && !password ? t("faults.noPassword") : undefined}
          isRequired
          isFocusedFirst
        />
      </div>
    </Dialog>
  );
}
