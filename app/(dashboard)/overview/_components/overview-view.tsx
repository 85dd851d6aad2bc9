"use client";

import { useTimeZone, useTranslations } from "use-intl/react";
import { Checklist } from "@/app/_first-run/checklist";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Loading } from "@/components/loading";
import { PageHeading } from "@/components/page-heading";
import { NewestChanges } from "./newest-changes";
import { RefusalReasons } from "./refusal-reasons";
import { SpendSummary } from "./spend-summary";
import { Verdict } from "./verdict";

/** The page is left open on screens that nobody touches. */
const REFRESH_MS = 60_000;

/** Whether anything needs the owner, then spend, refusals and the newest changes. */
export function OverviewView({ hidesChecklist }: { hidesChecklist: boolean }) {
  const t = useTranslations("overview");
  const timeZone = useTimeZone() ?? "UTC";
  const { data, error, isPending, refetch } = trpc.overview.get.useQuery(undefined, { refetchInterval: REFRESH_MS });
  return (
    <>
      <PageHeading title={t("title")} description={t("description", { zone: timeZone })} />
      <FailureNotice error={error} onRetry={refetch} />
      {isPending && <Loading>{t("loading")}</Loading>}
      {data && (
        <div className="grid grid-cols-1 gap-5">
          <Checklist wasHidden={hidesChecklist} />
          <Verdict keys={data.keys} />
          <SpendSummary spend={data.spend} today={data.today} />
          <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
            <RefusalReasons refusals={data.refusals} />
            <NewestChanges events={data.changes} />
          </div>
        </div>
      )}
    </>
  );
}
