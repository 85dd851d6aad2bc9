"use client";

import { useTranslations } from "use-intl/react";
import { KeyId } from "@/app/_keys/key-id";
import { useReasonText } from "@/app/_trpc/error-words";
import type { FailedKey } from "@/server/keys/schema";

/** Keys that do not get the limits, each with the reason. */
export function FailedKeys({ failed }: { failed: FailedKey[] }) {
  const t = useTranslations("batchLimits");
  const reasonText = useReasonText();
  return (
    <ul aria-label={t("failedKeys")} className="divide-y divide-line text-sm text-ink">
      {failed.map(({ apikey_id, name, ...reason }) => (
        <li key={apikey_id} className="flex flex-wrap justify-between gap-x-4 py-2">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {name !== null && <bdi className="font-medium">{name} </bdi>}
            <KeyId>{apikey_id}</KeyId>
          </span>
          <span className="text-ink-soft">{reasonText(reason)}</span>
        </li>
      ))}
    </ul>
  );
}
