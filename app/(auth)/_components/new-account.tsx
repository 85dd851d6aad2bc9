"use client";

import { useEffect, useState } from "react";
import { useLocale, useTranslations } from "use-intl/react";
import { AuthError, callAuth } from "@/app/_auth/call";
import { EmailField } from "@/app/_auth/email-field";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { NewPasswordField, useNewPassword } from "@/app/_auth/new-password-field";
import { ShownOnce } from "@/app/_keys/shown-once";
import { TimeZoneField, useOwnZone, zoneOf } from "@/app/_time-zone/time-zone-field";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import { useAttempt } from "@/components/use-attempt";
import { useAwaitedOnce } from "@/components/use-awaited-once";
import type { CreatedAccount } from "@/server/auth/schema";
import { LanguageChoice } from "./language-choice";

/** Creates an account, signs in, and shows the account's default key once. */
export function NewAccount({ path, token }: { path: "/set-up" | "/sign-up"; token?: string }) {
  const t = useTranslations("auth.newAccount");
  const words = useTranslations("auth");
  const languages = useTranslations("settings.language");
  const [email, setEmail] = useState("");
  const password = useNewPassword(email);
  const own = useOwnZone();
  const [typedZone, setTypedZone] = useState<string>();
  const shownZone = typedZone ?? own ?? "";
  const zone = zoneOf(shownZone);
  const language = useLocale();
  const [isChecked, setChecked] = useState(false);
  const [created, setCreated] = useState<CreatedAccount>();
  const [isDone, setDone] = useState(false);
  const { attempt, error, isPending } = useAttempt(async () => {
    const body = { email, password: password.value, time_zone: zone, language, ...(token !== undefined && { token }) };
    setCreated(await callAuth<CreatedAccount>(path, body));
  });
  useAwaitedOnce(isPending);
  useEffect(() => {
    // Only after the key has left the page: while it shows, leaving the page asks for confirmation.
    if (isDone) window.location.assign("/overview");
  }, [isDone]);

  const isEmail = /^\S+@\S+\.\S+$/.test(email.trim());
  return (
    <>
      <Form
        className="mt-8 grid max-w-sm gap-5"
        onSubmit={() => {
          setChecked(true);
          if (password.check() && isEmail && zone !== undefined && !created) attempt();
        }}
      >
        <AuthFailureNotice error={refusalOf(error)} />
        <EmailField value={email} onChange={setEmail} isWrong={isChecked && !isEmail} />
        <NewPasswordField label={words("password")} password={password} />
        <div className="grid gap-1.5">
          <p aria-hidden="true" className="text-sm font-medium">
            {languages("title")}
          </p>
          <LanguageChoice />
        </div>
        <TimeZoneField typed={shownZone} onType={setTypedZone} isWrong={isChecked && zone === undefined} />
        <Button variant="primary" type="submit" isPending={isPending} className="w-full">
          {t("submit")}
        </Button>
      </Form>
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

/** The server refuses an email that has an account like a wrong password. Someone who signs up needs other words for it. */
function refusalOf(error: unknown): unknown {
  const isRefused = error instanceof AuthError && error.code === "INVALID_EMAIL_OR_PASSWORD";
  return isRefused ? new AuthError("SIGN_UP_REFUSED") : error;
}
