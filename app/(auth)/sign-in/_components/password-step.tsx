"use client";

import { useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { AuthError, callAuth } from "@/app/_auth/call";
import { CurrentPasswordField } from "@/app/_auth/current-password-field";
import { EmailField } from "@/app/_auth/email-field";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { hasPasskeys, signInWithPasskey } from "@/app/_auth/passkey";
import { openSingleSignOn } from "@/app/_auth/single-sign-on";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import { useAttempt } from "@/components/use-attempt";
import type { SignInOptions } from "@/server/auth/schema";
import { LostPassword } from "./lost-password";

/** The first step: email and password, a passkey, or single sign-on. */
export function PasswordStep({
  next,
  options,
  providerError,
  onSecondFactor,
  onDone,
}: {
  next: string;
  options: SignInOptions;
  providerError: string | undefined;
  onSecondFactor(): void;
  onDone(): Promise<void>;
}) {
  const t = useTranslations("auth.signIn");
  const words = useTranslations("auth");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isChecked, setChecked] = useState(false);
  // Only the browser knows whether it has passkeys.
  const [isPasskeyOffered, offerPasskey] = useState(false);
  useEffect(() => offerPasskey(hasPasskeys()), []);

  const byPassword = useAttempt(async () => {
    const answer = await callAuth<{ twoFactorRedirect?: true }>("/sign-in/email", { email, password });
    if (answer.twoFactorRedirect) onSecondFactor();
    else await onDone();
  });
  const byPasskey = useAttempt(async () => {
    await signInWithPasskey();
    await onDone();
  });
  const bySingleSignOn = useAttempt(() => openSingleSignOn(next));
  const attempts = [byPassword, byPasskey, bySingleSignOn];
  const begin = ({ attempt }: (typeof attempts)[number]) => {
    for (const each of attempts) each.forget();
    return attempt();
  };
  const failed = attempts.find(({ error }) => error)?.error;
  // What the provider refused is old once anything is tried.
  const refused = !isChecked && !attempts.some(({ hasBegun }) => hasBegun) ? providerError : undefined;

  return (
    <>
      <Form
        className="grid gap-5"
        onSubmit={() => {
          setChecked(true);
          if (email.trim() && password) begin(byPassword);
        }}
      >
        <AuthFailureNotice
          error={failed ?? (refused ? new AuthError(refused.toUpperCase()) : undefined)}
          otherwise={failed ? undefined : t("refused")}
        />
        <EmailField value={email} onChange={setEmail} isWrong={isChecked && !email.trim()} />
        <CurrentPasswordField label={words("password")} value={password} onChange={setPassword} isChecked={isChecked} />
        <Button variant="primary" type="submit" isPending={byPassword.isPending} className="w-full">
          {t("submit")}
        </Button>
      </Form>
      <LostPassword hasPasskey={isPasskeyOffered} provider={options.single_sign_on} />
      {(isPasskeyOffered || options.single_sign_on !== null) && (
        <div className="mt-5 grid gap-3">
          <p className="flex items-center gap-3 text-[0.8125rem] text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            {t("or")}
          </p>
          {isPasskeyOffered && (
            <Button icon="key" onPress={() => begin(byPasskey)} className="w-full">
              {t("passkey")}
            </Button>
          )}
          {options.single_sign_on !== null && (
            <Button icon="external" onPress={() => begin(bySingleSignOn)} className="w-full">
              {t("singleSignOn", { name: options.single_sign_on })}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
