"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { AuthError, callAuth } from "@/app/_auth/call";
import { CurrentPasswordField } from "@/app/_auth/current-password-field";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { NewPasswordField, useNewPassword } from "@/app/_auth/new-password-field";
import { trpc } from "@/app/_trpc/client";
import { useMake } from "@/app/_trpc/use-make";
import { Button } from "@/components/button";
import { WRAPPING } from "@/components/button-style";
import { Form } from "@/components/form";
import { Notice } from "@/components/notice";
import { Section } from "@/components/section";
import { useAttempt } from "@/components/use-attempt";

/** Changes the password, and signs out every other browser. */
export function PasswordSection({ email }: { email: string }) {
  const t = useTranslations("security.password");
  const utils = trpc.useUtils();
  const [currentPassword, setCurrent] = useState("");
  const newPassword = useNewPassword(email);
  const [isChecked, setChecked] = useState(false);
  const [isDone, setDone] = useState(false);
  const make = useMake();
  /** After a lost answer, the current password is wrong because the new one holds. */
  const isNew = async (refusal: unknown) => {
    if (!(refusal instanceof AuthError && refusal.code === "INVALID_PASSWORD")) return undefined;
    await callAuth("/prove/password", { password: newPassword.value });
    return true;
  };
  const { attempt, error, isPending } = useAttempt(async () => {
    await make(() => callAuth("/change-password", { currentPassword, newPassword: newPassword.value }), isNew);
    setCurrent("");
    newPassword.clear();
    setChecked(false);
    setDone(true);
    await utils.accounts.sessions.invalidate();
  });
  return (
    <Section title={t("title")} description={t("text")}>
      <Form
        className="grid max-w-sm grid-cols-1 gap-4"
        onSubmit={() => {
          setChecked(true);
          setDone(false);
          if (newPassword.check() && currentPassword) attempt();
        }}
      >
        <AuthFailureNotice error={error} />
        {isDone && <Notice tone="good">{t("done")}</Notice>}
        <CurrentPasswordField
          label={t("current")}
          value={currentPassword}
          onChange={setCurrent}
          isChecked={isChecked}
        />
        <NewPasswordField label={t("new")} password={newPassword} />
        <div>
          <Button type="submit" isPending={isPending} className={WRAPPING.medium}>
            {t("submit")}
          </Button>
        </div>
      </Form>
    </Section>
  );
}
