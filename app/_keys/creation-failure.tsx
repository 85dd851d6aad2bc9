"use client";

import { useTranslations } from "use-intl/react";
import { isUnanswered } from "@/app/_trpc/failure";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Notice } from "@/components/notice";

/**
 * Why keys could not be created. When no answer came, they may have been: a second try would make them twice, and nobody has seen
 * the values of the first ones.
 */
export function CreationFailure({ error, count = 1 }: { error: unknown; count?: number }) {
  const t = useTranslations("keys.unanswered");
  return (
    <>
      <FailureNotice error={error} />
      {isUnanswered(error) && (
        <Notice
          tone="warn"
          action={
            <a href="/keys" target="_blank" rel="noreferrer" className="text-accent underline underline-offset-4">
              {t("newest")}
            </a>
          }
        >
          {t("text", { count })}
        </Notice>
      )}
    </>
  );
}
