"use client";

import { useTranslations } from "use-intl/react";
import { Notice } from "@/components/notice";
import { AuthError } from "./call";

/** Errors with a sentence in the messages. Every other error shows the server's sentence. */
const WORDED = {
  INVALID_EMAIL_OR_PASSWORD: "wrongPassword",
  INVALID_PASSWORD: "wrongCurrentPassword",
  INVALID_CODE: "wrongCode",
  INVALID_BACKUP_CODE: "wrongBackupCode",
  INVALID_TWO_FACTOR_COOKIE: "startAgain",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "startAgain",
  PROOF_REQUIRED: "proofRequired",
  SIGNED_OUT: "signedOut",
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
} as const;

/** The sentence for an error of signing in. */
function useAuthFailureText(): (error: unknown) => string {
  const t = useTranslations("auth.failures");
  return (error) => {
    if (!(error instanceof AuthError)) return t("unreachable");
    const { code, message, retryAfter } = error;
    if (code === "TOO_MANY_ATTEMPTS") return t("tooMany", { minutes: Math.max(1, Math.ceil(retryAfter / 60)) });
    if (code in WORDED) return t(WORDED[code as keyof typeof WORDED]);
    return message || t("unreachable");
  };
}

/** Shows why signing in, or a change of a sign-in method, failed. It renders nothing without an error. */
export function AuthFailureNotice({ error }: { error: unknown }) {
  const textOf = useAuthFailureText();
  return error ? <Notice tone="danger">{textOf(error)}</Notice> : null;
}
