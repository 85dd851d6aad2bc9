"use client";

import { useTranslations } from "use-intl/react";
import type { z } from "zod";
import { useReasonText } from "@/app/_trpc/error-words";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Notice } from "@/components/notice";
import { useAttempt } from "@/components/use-attempt";
import type { batchOutcome } from "@/server/keys/schema";

export type BatchAction = "enable" | "disable" | "move" | "revoke";

/** How many keys were changed, and which keys were not, each with the reason. */
export function BatchResult({
  action,
  result,
  onRetry,
  onClose,
}: {
  action: BatchAction;
  result: z.infer<typeof batchOutcome>;
  /** Does the same to these keys again. */
  onRetry(apikeyIds: string[]): Promise<unknown>;
  onClose(): void;
}) {
  const t = useTranslations("keys.batch");
  const reasonText = useReasonText();
  const { updated_count, failed_count, failed } = result;
  const { attempt, error, isPending } = useAttempt(() => onRetry(failed.map(({ apikey_id }) => apikey_id)));
  return (
    <Dialog
      title={t("result")}
      width="small"
      onClose={onClose}
      isClosable={!isPending}
      footer={
        <>
          {failed_count > 0 && (
            <Button isPending={isPending} onPress={attempt}>
              {t("retry")}
            </Button>
          )}
          <Button variant="primary" onPress={onClose} isDisabled={isPending} isFocusedFirst>
            {t("close")}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <FailureNotice error={error} />
        <Notice tone={failed_count > 0 ? "warn" : "good"}>
          {t(`done.${action}`, { count: updated_count })}
          {failed_count > 0 && ` ${t("failed", { count: failed_count })}`}
        </Notice>
        {failed.length > 0 && (
          <ul className="grid gap-2 text-sm">
            {failed.map(({ apikey_id, name, ...reason }) => (
              <li key={apikey_id}>
                <bdi className="block font-medium [overflow-wrap:anywhere]">{name ?? apikey_id}</bdi>
                <span className="text-ink-soft">{reasonText(reason)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
