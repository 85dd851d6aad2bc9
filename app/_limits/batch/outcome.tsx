"use client";

import { useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import type { FailedKey } from "@/server/keys/schema";
import { FailedKeys } from "./failed-keys";

/** How many keys have the new limits, and which keys do not, each with the reason. */
export function Outcome({
  updatedCount,
  failed,
  onRetry,
}: {
  updatedCount: number;
  failed: FailedKey[];
  /** Tries the failed keys again. */
  onRetry(): Promise<void>;
}) {
  const t = useTranslations("batchLimits.outcome");
  return (
    <div className="grid gap-3">
      {(updatedCount > 0 || failed.length === 0) && (
        <Notice tone="good">{t("updated", { count: updatedCount })}</Notice>
      )}
      {failed.length > 0 && (
        <>
          <Notice tone="danger" title={t("failed", { count: failed.length })} />
          <FailedKeys failed={failed} />
          <div>
            <Button size="small" icon="rotate" onPress={onRetry}>
              {t("retry")}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
