"use client";

import { useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { useFailureText } from "./error-words";
import { type Failure, failureOf } from "./failure";
import { SignInLink } from "./sign-in-link";
import { useReachableAgain } from "./use-reachable-again";

/**
 * Shows why a call failed, and nothing where it did not. What was typed stays: signing in happens in a new tab. When the
 * server was away and is back, a list loads by itself, and a change, which is not repeated unasked, is said to be possible.
 */
export function FailureNotice({ error, onRetry }: { error: unknown; onRetry?: (() => unknown) | undefined }) {
  const t = useTranslations("failure");
  const textOf = useFailureText();
  const failure = error ? failureOf(error) : undefined;
  const isBack = useReachableAgain(failure && isAway(failure) ? error : undefined);
  if (!failure) return null;
  const retry = onRetry && (
    <Button size="small" onPress={onRetry}>
      {t("retry")}
    </Button>
  );
  if (isBack) {
    return (
      <Notice tone="info" action={retry}>
        {t("reachableAgain")}
      </Notice>
    );
  }
  return (
    <Notice tone="danger" action={failure.kind === "signed-out" ? <SignInLink /> : retry}>
      <p className="whitespace-pre-line">{textOf(error)}</p>
    </Notice>
  );
}

/** Whether the server, or its database, could not be reached. */
function isAway(failure: Failure): boolean {
  return failure.kind === "unreachable" || ("status" in failure && failure.status === 503);
}
