"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { openPage } from "@/app/_auth/open-page";
import type { SignInOptions } from "@/server/auth/schema";
import { PasswordStep } from "./password-step";
import { SecondFactorStep } from "./second-factor-step";

/** Signs in with a password and the second factor of the account, with a passkey, or with single sign-on. */
export function SignIn({
  next,
  options,
  providerError,
  isCodeAsked,
}: {
  /** The path to open after signing in. */
  next: string;
  options: SignInOptions;
  /** The error with which the provider of the single sign-on sent the browser back. */
  providerError: string | undefined;
  /** Whether the single sign-on is done, and the second factor is asked for. */
  isCodeAsked: boolean;
}) {
  const t = useTranslations("auth.signIn");
  const [step, setStep] = useState<"password" | "second factor">(isCodeAsked ? "second factor" : "password");
  // A full page load, so that the server renders every page with the session.
  const done = () => openPage(next);
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
