"use client";

import { useTranslations } from "use-intl/react";
import { useToldFailureText } from "@/app/_trpc/error-words";
import { SignInLink } from "@/app/_trpc/sign-in-link";
import { Notice } from "@/components/notice";
import { AuthError } from "./call";

/** The sentence of each error of a sign-in, in `auth.failures`. Other errors have theirs in `errors`. */
export const WORDED = {
  INVALID_EMAIL_OR_PASSWORD: "wrongPassword",
  INVALID_EMAIL: "notEmail",
  INVALID_PASSWORD: "wrongCurrentPassword",
  PASSWORD_TOO_LONG: "passwordTooLong",
  INVALID_CODE: "wrongCode",
  INVALID_BACKUP_CODE: "wrongBackupCode",
  INVALID_TWO_FACTOR_COOKIE: "startAgain",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "startAgain",
  TOTP_ALREADY_ENABLED: "secondFactorOn",
  TWO_FACTOR_NOT_ENABLED: "secondFactorOff",
  // The same, where a code of the app or a backup code was sent.
  TOTP_NOT_ENABLED: "secondFactorOff",
  BACKUP_CODES_NOT_ENABLED: "secondFactorOff",
  PROOF_REQUIRED: "proofRequired",
  SIGNED_OUT: "signedOut",
  // The same, in the words of better-auth.
  UNAUTHORIZED: "signedOut",
  PASSKEY_OF_ANOTHER_ACCOUNT: "passkeyOfAnotherAccount",
  PASSWORD_TOO_COMMON: "passwordTooCommon",
  PASSWORD_MADE_OF_EMAIL: "passwordMadeOfEmail",
  SET_UP_LINK_INVALID: "setUpLink",
  PROVIDER_AWAY: "providerAway",
  PASSKEY_NOT_FOUND: "unknownPasskey",
  PASSKEY_CANCELLED: "passkeyCancelled",
  PASSKEY_REGISTERED: "passkeyRegistered",
  ACCOUNT_NOT_LINKED: "notLinked",
  ALREADY_LINKED: "alreadyLinked",
  ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_USER: "linkedElsewhere",
  EMAIL_DOES_NOT_MATCH: "otherEmail",
  SESSION_ENDED: "sessionEnded",
  SIGN_UP_REFUSED: "signUpRefused",
  ACCOUNT_DISABLED: "accountDisabled",
  EMAIL_NOT_VERIFIED: "notVerified",
  SIGNUP_DISABLED: "noAccount",
  ACCOUNT_REFUSED: "accountRefused",
  USER_NOT_VERIFIED: "passkeyUserNotVerified",
  FAILED_TO_VERIFY_REGISTRATION: "passkeyNotVerified",
  NOT_OFFERED: "notOffered",
  INVALID_INPUT: "invalidInput",
} as const;

/** Whether the session of the caller had ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof AuthError && WORDED[error.code as keyof typeof WORDED] === "signedOut";
}

/** The sentence for an error of signing in or out. @param otherwise the sentence for a code that has none. */
export function useAuthFailureText(otherwise?: string | undefined): (error: unknown) => string {
  const t = useTranslations("auth.failures");
  const textOf = useToldFailureText();
  return (error) => {
    if (!(error instanceof AuthError) || error.code === "UNREACHABLE") return t("unreachable");
    const { code, retryAfter, told } = error;
    if (code === "TOO_MANY_ATTEMPTS") return t("tooMany", { minutes: Math.max(1, Math.ceil(retryAfter / 60)) });
    if (told.faults) return textOf(told) ?? t("invalidInput");
    if (code in WORDED) return t(WORDED[code as keyof typeof WORDED]);
    return textOf(told) ?? otherwise ?? t("other", { code });
  };
}

/**
 * Shows why signing in, or a change of a sign-in method, failed. It renders nothing without an error.
 * @param otherwise the sentence for a code that has none.
 */
export function AuthFailureNotice({ error, otherwise }: { error: unknown; otherwise?: string | undefined }) {
  const t = useTranslations("failure");
  const textOf = useAuthFailureText(otherwise);
  if (!error) return null;
  if (isSignedOut(error)) {
    return (
      <Notice tone="danger" action={<SignInLink />}>
        {t("signedOut")}
      </Notice>
    );
  }
  return <Notice tone="danger">{textOf(error)}</Notice>;
}
