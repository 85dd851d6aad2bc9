"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import type { SignInOptions } from "@/server/auth/schema";
import { PasswordStep } from "./password-step";
import { SecondFactorStep } from "./second-factor-step";

/** Signing in: with a password and, where the account wants it, a second factor; a passkey; a single sign-on. */
export function SignIn({
  next,
  options,
  providerError,
}: {
  /** Path to go to then. */
  next: string;
  options: SignInOptions;
  /** Why the single sign-on provider sent the browser back without a session. */
  providerError: string | undefined;
}) {
  const t = useTranslations("auth.signIn");
  const [step, setStep] = useState<"password" | "second factor">("password");
  // Anew, so that every page is asked for with the session.
  const done = () => window.location.assign(next);
  return (
    <div className="mt-8 max-w-sm">
      {step === "password" ? (
        <PasswordStep
          next={next}
          options={options}
          providerError={providerError}
          onSecondFactor={() => setStep("second factor")}
          onDone={done}
        />
      ) : (
        <SecondFactorStep onBack={() => setStep("password")} onDone={done} />
      )}
      {options.sign_up && (
        <p className="mt-8 border-t border-line pt-5 text-sm text-ink-soft">
          {t("noAccount")}{" "}
          <a href="/sign-up" className="text-accent underline underline-offset-4">
            {t("signUp")}
          </a>
        </p>
      )}
    </div>
  );
}
