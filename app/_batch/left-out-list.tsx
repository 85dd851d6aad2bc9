"use client";

import { useTranslations } from "use-intl/react";
import { useReasonText } from "@/app/_trpc/error-words";
import { Notice } from "@/components/notice";
import type { LeftOutKeys } from "@/server/keys/schema";

/** How many keys are left out for one reason, which the code names. */
export type LeftOut = Pick<LeftOutKeys, "code" | "key_count">;

/** How many keys are left out of a change, by reason. Nothing where none is. */
export function LeftOutList({ leftOut }: { leftOut: LeftOut[] }) {
  const t = useTranslations("batchWalk");
  const reasonText = useReasonText();
  if (leftOut.length === 0) return null;
  const count = leftOut.reduce((sum, { key_count }) => sum + key_count, 0);
  return (
    <Notice tone="info" title={t("leftOut", { count })}>
      <ul aria-label={t("leftOutName")}>
        {leftOut.map(({ code, key_count }) => (
          <li key={code}>{t("leftOutReason", { count: key_count, reason: reasonText({ code, values: {} }) })}</li>
        ))}
      </ul>
    </Notice>
  );
}
