"use client";

import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { PasskeysSection } from "./passkeys-section";
import { PasswordSection } from "./password-section";
import { SecondFactorSection } from "./second-factor-section";
import { SessionsSection } from "./sessions-section";

/** The sign-in methods of the account, and its sessions. */
export function SecuritySections() {
  const { data: methods, error, refetch } = trpc.accounts.signInMethods.useQuery();
  return (
    <>
      <FailureNotice error={error} onRetry={refetch} />
      {methods?.has_password && (
        <>
          <PasswordSection />
          <SecondFactorSection isEnabled={methods.two_factor_enabled} />
        </>
      )}
      {methods && <PasskeysSection passkeys={methods.passkeys} />}
      <SessionsSection />
    </>
  );
}
