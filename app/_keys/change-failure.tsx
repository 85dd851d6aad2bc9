"use client";

import { useTranslations } from "use-intl/react";
import { failureOf } from "@/app/_trpc/failure";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";

/** Why a change of a key failed. Where the key was changed meanwhile, offers to look at it as it is now. */
export function ChangeFailure({ error, onReload }: { error: unknown; onReload(): Promise<unknown> }) {
  const t = useTranslations("keys.conflict");
  if (!error) return null;
  const failure = failureOf(error);
  if (!("status" in failure) || failure.status !== 409) return <FailureNotice error={error} />;
  return (
    <Notice
      tone="danger"
      title={t("title")}
      action={
        // Where it cannot be read either, the notice stays.
        <Button size="small" onPress={() => onReload().catch(() => {})}>
          {t("reload")}
        </Button>
      }
    >
      {t("text")}
    </Notice>
  );
}
