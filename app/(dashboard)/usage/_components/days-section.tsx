"use client";

import { keepPreviousData, skipToken } from "@tanstack/react-query";
import type { SetValues } from "nuqs";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { DownloadLink } from "@/app/_csv/download-link";
import { type SpendBefore, SpendChart } from "@/app/_spend/spend-chart";
import { SpendFigures } from "@/app/_spend/spend-figures";
import { SpendLegend } from "@/app/_spend/spend-legend";
import { keepLargest, type SpendColumn, tabulate } from "@/app/_spend/spend-table";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Amount } from "@/components/amount";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Icon } from "@/components/icon";
import { Loading } from "@/components/loading";
import { Section } from "@/components/section";
import { useFormats } from "@/components/use-formats";
import { sumExactly } from "@/components/yuan";
import {
  type Days,
  monthBefore,
  type UsageAddress,
  type usageAddress,
  type usageInputOf,
  usageOfDays,
} from "./usage-address";

/** How many groups, keys or models have a colour of their own in the chart. */
const SHOWN = 5;

/** What was spent on each day, stacked by group, key or model: a chart, or the same figures as a table. */
export function DaysSection({
  address,
  setAddress,
  input,
  today,
}: {
  address: UsageAddress;
  setAddress: SetValues<typeof usageAddress>;
  /** The input of the procedure. */
  input: NonNullable<ReturnType<typeof usageInputOf>>;
  /** `YYYY-MM-DD`, in the zone of the account. */
  today: string;
}) {
  const t = useTranslations("usage");
  const spend = useTranslations("spend");
  const shell = useTranslations("shell");
  const { by, group, view } = address;
  const { data, error, isPlaceholderData, refetch } = trpc.usage.account.useQuery(input, {
    placeholderData: keepPreviousData,
  });
  const before = useMonthBefore(address, today);
  const nameOf = ({ name, isRest }: SpendColumn) => name ?? spend(`${isRest ? "others" : "none"}.${by}`);
  // While new figures load, the old ones belong to other days, so they are not shown.
  const table = data && !isPlaceholderData ? keepLargest(tabulate(data.data, input), SHOWN) : undefined;
  const isEmpty = table?.total === 0 && !before?.totals.some((amount) => amount > 0);
  const isTable = view === "table";
  if (isEmpty) {
    return (
      <EmptyState
        icon="chart"
        title={t("empty.title")}
        action={
          group !== null && (
            <Button
              onPress={() => {
                setAddress({ group: null });
              }}
            >
              {t("empty.allGroups")}
            </Button>
          )
        }
        link={{ href: "/docs", label: shell("apiReference") }}
      >
        {t("empty.text")}
      </EmptyState>
    );
  }
  const shown = table && { label: t("perDay"), table, before, nameOf };
  return (
    <Section
      title={t("perDay")}
      actions={
        table && (
          <>
            <Button
              size="small"
              icon={isTable ? "chart" : "columns"}
              onPress={() => setAddress({ view: isTable ? "chart" : "table" })}
            >
              {isTable ? t("showChart") : t("showTable")}
            </Button>
            <DownloadLink href={`/usage/export?${new URLSearchParams(input)}`}>
              <Icon name="download" />
              {t("exportDays")}
            </DownloadLink>
          </>
        )
      }
    >
      <FailureNotice error={error} onRetry={refetch} />
      {!table && !error && (
        <div className="min-h-80">
          <Loading>{t("loading")}</Loading>
        </div>
      )}
      {shown && (
        <>
          <Sums input={input} total={shown.table.total} before={before} />
          {isTable ? (
            <SpendFigures {...shown} />
          ) : (
            <>
              <SpendChart {...shown} />
              {(shown.table.columns.length > 1 || before) && <SpendLegend {...shown} label={t("legend")} />}
            </>
          )}
        </>
      )}
    </Section>
  );
}

/** The same days of the month before, where the page compares this month with it. Absent until they are known. */
function useMonthBefore(address: UsageAddress, today: string): (SpendBefore & Days) | undefined {
  const days = monthBefore(address, today);
  const { data } = trpc.usage.account.useQuery((days && usageOfDays(address, days)) ?? skipToken);
  const label = useDaysLabel();
  if (!days || !data) return undefined;
  const { days: each, totals } = tabulate(data.data, days);
  return { ...days, label: label(days), days: each, totals };
}

function useDaysLabel(): (days: Days) => string {
  const t = useTranslations("usage");
  const formats = useFormats();
  return ({ from, to }) =>
    from === to ? formats.date(from) : t("range", { from: formats.date(from), to: formats.date(to) });
}

/** What was spent in all, and in the month before. */
function Sums({ input, total, before }: { input: Days; total: number; before: (SpendBefore & Days) | undefined }) {
  const t = useTranslations("usage");
  const formats = useFormats();
  const label = useDaysLabel();
  const totalBefore = before && sumExactly(before.totals);
  return (
    <dl className="mb-5 flex flex-wrap gap-x-10 gap-y-3">
      <Sum label={label(input)}>
        <Amount yuan={total} isBreakable />
      </Sum>
      {before && totalBefore !== undefined && (
        <>
          <Sum label={before.label}>
            <Amount yuan={totalBefore} isBreakable />
          </Sum>
          {totalBefore > 0 && (
            <Sum label={t("change")}>
              {total < totalBefore ? "−" : "+"}
              {formats.share(Math.abs(total - totalBefore) / totalBefore)}
            </Sum>
          )}
        </>
      )}
    </dl>
  );
}

function Sum({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
      <dd className="text-xl font-semibold tracking-tight tabular-nums">{children}</dd>
    </div>
  );
}
