"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { PasskeysSection } from "./passkeys-section";
import { PasswordSection } from "./password-section";
import { SecondFactorSection } from "./second-factor-section";
import { SessionsSection } from "./sessions-section";
import { SingleSignOnSection } from "./single-sign-on-section";

/** The sign-in methods of the account, and its sessions. */
export function SecuritySections({
  email,
  providerError,
}: {
  email: string;
  /** The error with which the provider of single sign-on sent the browser back. */
  providerError: string | undefined;
}) {
  const t = useTranslations("security");
  const { data: methods, error, refetch } = trpc.accounts.signInMethods.useQuery();
  const { data: options } = trpc.accounts.signInOptions.useQuery();
  const provider = options?.single_sign_on ?? null;
  return (
    // It takes the focus of "Try again", and the sections come into it.
    <section aria-label={t("title")} tabIndex={-1} className="grid grid-cols-1 gap-5 outline-none">
      <FailureNotice error={error} onRetry={refetch} />
      {methods?.has_password && (
        <>
          <PasswordSection email={email} />
          <SecondFactorSection isEnabled={methods.two_factor_enabled} />
        </>
      )}
      {methods && <PasskeysSection passkeys={methods.passkeys} />}
      {methods && options && (methods.single_sign_on || provider !== null) && (
        <SingleSignOnSection linked={methods.single_sign_on} name={provider} providerError={providerError} />
      )}
      <SessionsSection />
    </section>
  );
}
