"use client";

import { usePathname } from "next/navigation";
import { useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { useFailureText } from "./error-words";
import { failureOf } from "./failure";

/** Shows why a call failed, and nothing where it did not. What was typed stays: signing in happens in a new tab. */
export function FailureNotice({ error, onRetry }: { error: unknown; onRetry?: (() => unknown) | undefined }) {
  const t = useTranslations("failure");
  const textOf = useFailureText();
  const path = usePathname();
  if (!error) return null;
  const isSignedOut = failureOf(error).kind === "signed-out";
  const action = isSignedOut ? (
    <a
      href={`/sign-in?next=${encodeURIComponent(path)}`}
      target="_blank"
      rel="noreferrer"
      className="text-accent underline underline-offset-4"
    >
      {t("signIn")}
    </a>
  ) : (
    onRetry && (
      <Button size="small" onPress={onRetry}>
        {t("retry")}
      </Button>
    )
  );
  return (
    <Notice tone="danger" action={action}>
      {textOf(error)}
    </Notice>
  );
}
