"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { callAuth } from "@/app/_auth/call";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { trpc } from "@/app/_trpc/client";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { Section } from "@/components/section";
import { TextField } from "@/components/text-field";
import { useAttempt } from "@/components/use-attempt";
import { PASSWORD_LENGTH } from "@/server/auth/schema";

/** Changes the password. Whoever knew the old one is signed out by it. */
export function PasswordSection() {
  const t = useTranslations("security.password");
  const words = useTranslations("auth");
  const utils = trpc.useUtils();
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [isDone, setDone] = useState(false);
  const { attempt, error, isPending } = useAttempt(async () => {
    await callAuth("/change-password", { currentPassword, newPassword, revokeOtherSessions: true });
    setCurrent("");
    setNew("");
    setChecked(false);
    setDone(true);
    await utils.accounts.sessions.invalidate();
  });
  const currentFault = currentPassword ? undefined : words("faults.noPassword");
  const length = newPassword.length;
  const newFault =
    length < PASSWORD_LENGTH.min
      ? words("faults.tooShort", PASSWORD_LENGTH)
      : length > PASSWORD_LENGTH.max
        ? words("faults.tooLong", PASSWORD_LENGTH)
        : undefined;
  return (
    <Section title={t("title")} description={t("text")}>
      <form
        noValidate
        className="grid max-w-sm gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          setDone(false);
          if (!currentFault && !newFault) attempt();
        }}
      >
        <AuthFailureNotice error={error} />
        {isDone && <Notice tone="good">{t("done")}</Notice>}
        <TextField
          label={t("current")}
          type="password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={setCurrent}
          error={isChecked ? currentFault : undefined}
          isRequired
        />
        <TextField
          label={t("new")}
          hint={words("passwordHint", PASSWORD_LENGTH)}
          type="password"
          autoComplete="new-password"
          value={newPassword}
          onChange={setNew}
          error={isChecked ? newFault : undefined}
          isRequired
        />
        <div>
          <Button type="submit" isPending={isPending}>
            {t("submit")}
          </Button>
        </div>
      </form>
    </Section>
  );
}
