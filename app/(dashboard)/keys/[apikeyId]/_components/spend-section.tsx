"use client";

import { useTimeZone, useTranslations } from "use-intl/react";
import { LastUsed } from "@/app/_keys/last-used";
import { SPEND_WINDOWS, SpendBar } from "@/app/_keys/spend-bar";
import { SpendChart } from "@/app/_spend/spend-chart";
import { tabulate } from "@/app/_spend/spend-table";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Amount } from "@/components/amount";
import { Section } from "@/components/section";
import type { Key } from "@/server/keys/schema";
import { useLastDays } from "./last-days";

/** What the key spent of each limit, and on each of the last days. */
export function SpendSection({ apikey }: { apikey: Key }) {
  const t = useTranslations("keys");
  const zone = useTimeZone() ?? "UTC";
  const range = useLastDays();
  const { data, error, refetch } = trpc.usage.key.useQuery({ apikey_id: apikey.apikey_id, ...range });
  const table =
    data && tabulate([{ id: apikey.apikey_id, name: apikey.name, is_rest: false, ...data, days: data.data }], range);
  return (
    <Section title={t("spend.title")} description={t("spend.zone", { zone })}>
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-5">
        {SPEND_WINDOWS.map((window) => (
          <div key={window}>
            <dt className="mb-0.5 text-[13px] text-ink-soft">{t(`columns.${window}`)}</dt>
            <dd>
              <SpendBar window={window} apikey={apikey} />
            </dd>
          </div>
        ))}
        <div>
          <dt className="mb-0.5 text-[13px] text-ink-soft">{t("spend.held")}</dt>
          <dd className="py-0.5 text-[13px] tabular-nums">
            <Amount yuan={apikey.held} />
          </dd>
        </div>
        <div>
          <dt className="mb-0.5 text-[13px] text-ink-soft">{t("columns.last_used_at")}</dt>
          <dd className="py-0.5 text-[13px]">
            <LastUsed at={apikey.last_used_at} />
          </dd>
        </div>
      </dl>
      <h3 className="mt-6 mb-4 flex flex-wrap justify-between gap-x-4 text-[13px] text-ink-soft">
        {t("spend.lastDays")}
        {table && (
          <span className="font-medium text-ink tabular-nums">
            <Amount yuan={table.total} />
          </span>
        )}
      </h3>
      <FailureNotice error={error} onRetry={refetch} />
      {table &&
        (table.total === 0 ? (
          <p className="text-sm text-ink-soft">{t("spend.nothing")}</p>
        ) : (
          <SpendChart label={t("spend.lastDays")} table={table} nameOf={({ name }) => name ?? ""} />
        ))}
    </Section>
  );
}
