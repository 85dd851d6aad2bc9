"use client";

import type { ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { KeyId } from "@/app/_keys/key-id";
import { Notice } from "@/components/notice";

/** Warns of keys that work now and that new limits would block at once. Nothing where there are none. */
export function BlockedKeys({
  preview: { blocked, blocked_count },
  children,
}: {
  preview: { blocked: { apikey_id: string; name: string }[]; blocked_count: number };
  /** Says more about it. */
  children?: ReactNode;
}) {
  const t = useTranslations("batchLimits.preview");
  if (blocked_count === 0) return null;
  return (
    <Notice tone="warn" title={t("blocked", { count: blocked_count })}>
      <ul className="mt-1 grid gap-x-6 sm:grid-cols-2">
        {blocked.map(({ apikey_id, name }) => (
          <li key={apikey_id}>
            <bdi className="text-ink">{name}</bdi> <KeyId>{apikey_id}</KeyId>
          </li>
        ))}
      </ul>
      {blocked_count > blocked.length && (
        <p className="mt-1">{t("moreBlocked", { count: blocked_count - blocked.length })}</p>
      )}
      {children}
    </Notice>
  );
}
