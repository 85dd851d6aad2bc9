"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { PageHeading } from "@/components/page-heading";

const ASKS_EVERY_MS = 5_000;

/**
 * Stands for the settings when the server could not read the account. Says why, and shows them as soon as they can be read:
 * the layout does not, because it stays as it is when a link is followed.
 */
export function UnreadSettings() {
  const t = useTranslations("settings");
  const router = useRouter();
  const { error, refetch, dataUpdatedAt } = trpc.accounts.me.useQuery(undefined, {
    staleTime: 0,
    refetchInterval: ASKS_EVERY_MS,
  });
  useEffect(() => {
    if (dataUpdatedAt > 0) router.refresh();
  }, [dataUpdatedAt, router]);
  return (
    <>
      <PageHeading title={t("title")} />
      <FailureNotice error={error} onRetry={refetch} />
    </>
  );
}
