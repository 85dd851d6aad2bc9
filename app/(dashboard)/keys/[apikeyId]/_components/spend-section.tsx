"use client";

import { useTranslations } from "use-intl/react";
import { SpendChart } from "@/app/_spend/spend-chart";
import { tabulate } from "@/app/_spend/spend-table";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Amount } from "@/components/amount";
import { Section } from "@/components/section";
import type { Key } from "@/server/keys/schema";
import { useLastDays } from "./last-days";

/** What the key spent on each of the last days. */
export function SpendSection({ apikey }: { apikey: Key }) {
  const t = useTranslations("keys");
  const range = useLastDays();
  const { data, error, refetch } = trpc.usage.key.useQuery({ apikey_id: apikey.apikey_id, ...range });
  const table =
    data && tabulate([{ id: apikey.apikey_id, name: apikey.name, is_rest: false, ...data, days: data.data }], range);
  return (
    <Section title={t("spend.title")}>
      <h3 className="mb-4 flex flex-wrap justify-between gap-x-4 text-[0.8125rem] text-ink-soft">
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
