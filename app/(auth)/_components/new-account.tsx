"use client";

import { useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { callAuth } from "@/app/_auth/call";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { ShownOnce } from "@/app/_keys/shown-once";
import { Button } from "@/components/button";
import { TextField } from "@/components/text-field";
import { useAttempt } from "@/components/use-attempt";
import { type CreatedAccount, PASSWORD_LENGTH } from "@/server/auth/schema";

/** The form that makes an account, signs in, and shows the account's default key this once. */
export function NewAccount({ path, token }: { path: "/set-up" | "/sign-up"; token?: string }) {
  const t = useTranslations("auth.newAccount");
  const words = useTranslations("auth");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [created, setCreated] = useState<CreatedAccount>();
  const [isDone, setDone] = useState(false);
  const { attempt, error, isPending } = useAttempt(async () => {
    setCreated(await callAuth<CreatedAccount>(path, { email, password, ...(token !== undefined && { token }) }));
  });
  useEffect(() => {
    // Only once the key is off the page, which would hold the browser back.
    if (isDone) window.location.assign("/keys");
  }, [isDone]);

  const emailFault = /^\S+@\S+\.\S+$/.test(email.trim()) ? undefined : words("faults.noEmail");
  const length = password.length;
  const passwordFault =
    length < PASSWORD_LENGTH.min
      ? words("faults.tooShort", PASSWORD_LENGTH)
      : length > PASSWORD_LENGTH.max
        ? words("faults.tooLong", PASSWORD_LENGTH)
        : undefined;
  return (
    <>
      <form
        noValidate
        className="mt-8 grid max-w-sm gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (!emailFault && !passwordFault && !created) attempt();
        }}
      >
        <AuthFailureNotice error={error} />
        <TextField
          label={words("email")}
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          error={isChecked ? emailFault : undefined}
          isRequired
        />
        <TextField
          label={words("password")}
          hint={words("passwordHint", PASSWORD_LENGTH)}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          error={isChecked ? passwordFault : undefined}
          isRequired
        />
        <Button variant="primary" type="submit" isPending={isPending} className="w-full">
          {t("submit")}
        </Button>
      </form>
      {created && !isDone && (
        <ShownOnce
          title={t("created")}
          note={t("defaultKey")}
          value={created.apikey}
          isDefault
          onClose={() => setDone(true)}
        />
      )}
    </>
  );
}
