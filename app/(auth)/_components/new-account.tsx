"use client";

import { useEffect, useState } from "react";
import { useLocale, useTranslations } from "use-intl/react";
import { AuthError, callAuth } from "@/app/_auth/call";
import { EmailField } from "@/app/_auth/email-field";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { NewPasswordField, useNewPassword } from "@/app/_auth/new-password-field";
import { ShownOnce } from "@/app/_keys/shown-once";
import { TimeZoneField, useOwnZone, zoneOf } from "@/app/_time-zone/time-zone-field";
import { isUnanswered } from "@/app/_trpc/failure";
import { useMake } from "@/app/_trpc/use-make";
import { ActionLink } from "@/components/action-link";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import { Notice } from "@/components/notice";
import { useAttempt } from "@/components/use-attempt";
import { useAwaitedOnce } from "@/components/use-awaited-once";
import type { CreatedAccount } from "@/server/auth/schema";
import { LanguageChoice } from "./language-choice";

/** Instead of an account: it is there, and its default key was in an answer that was lost. */
const UNSHOWN = "unshown";

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
  const [created, setCreated] = useState<CreatedAccount | typeof UNSHOWN>();
  const make = useMake();
  const [isDone, setDone] = useState(false);
  const { attempt, error, isPending } = useAttempt(async () => {
    const body = { email, password: password.value, time_zone: zone, language, ...(token !== undefined && { token }) };
    setCreated(
      await make(
        () => callAuth<CreatedAccount>(path, body),
        () => signInTo({ email, password: password.value }),
      ),
    );
  });
  useAwaitedOnce(isPending);
  useEffect(() => {
    // Only after the key has left the page: while it shows, leaving the page asks for confirmation.
    if (isDone) window.location.assign("/overview");
  }, [isDone]);

  const isEmail = /^\S+@\S+\.\S+$/.test(email.trim());
  return (
    // It takes the focus of the button when the form is gone.
    <section aria-label={t("submit")} tabIndex={-1} className="mt-8 max-w-sm outline-none">
      {created === UNSHOWN ? (
        <UnshownKey />
      ) : (
        <Form
          className="grid gap-5"
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
      )}
      {created && created !== UNSHOWN && !isDone && (
        <ShownOnce
          title={t("created")}
          note={t("defaultKey")}
          value={created.apikey}
          isDefault
          onClose={() => setDone(true)}
        />
      )}
    </section>
  );
}

/** Signs in to the account that an attempt has created whose answer was lost; `undefined` where there is none. */
async function signInTo(credentials: { email: string; password: string }): Promise<typeof UNSHOWN | undefined> {
  try {
    const { twoFactorRedirect: isOlder } = await callAuth<{ twoFactorRedirect?: true }>("/sign-in/email", credentials);
    return isOlder ? undefined : UNSHOWN;
  } catch (error) {
    if (isUnanswered(error)) throw error;
    return undefined;
  }
}

/** Nobody has seen the default key of the account, and nobody can: it gets another value. */
function UnshownKey() {
  const t = useTranslations("auth.newAccount.unshown");
  return (
    <div className="grid gap-5">
      <Notice tone="warn" title={t("title")}>
        {t("text")}
      </Notice>
      <div className="flex flex-wrap gap-3">
        <ActionLink href="/settings" variant="primary">
          {t("settings")}
        </ActionLink>
        <ActionLink href="/overview" variant="secondary">
          {t("overview")}
        </ActionLink>
      </div>
    </div>
  );
}

/** The server refuses an email that has an account like a wrong password. Someone who signs up needs other words for it. */
function refusalOf(error: unknown): unknown {
  const isRefused = error instanceof AuthError && error.code === "INVALID_EMAIL_OR_PASSWORD";
  return isRefused ? new AuthError("SIGN_UP_REFUSED") : error;
}
