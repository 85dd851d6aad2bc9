"use client";

import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useTimeZone, useTranslations } from "use-intl/react";
import { SpendChart } from "@/app/_spend/spend-chart";
import { SpendFigures } from "@/app/_spend/spend-figures";
import { SpendList } from "@/app/_spend/spend-list";
import { type SpendColumn, tabulate } from "@/app/_spend/spend-table";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Amount } from "@/components/amount";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loading } from "@/components/loading";
import { PageHeading } from "@/components/page-heading";
import { Section } from "@/components/section";
import { useFormats } from "@/components/use-formats";
import { usageAddress, usageInputOf } from "./usage-address";
import { UsageFilters } from "./usage-filters";

/** The spend of the account by day, stacked by group or by key. */
export function UsageView() {
  const t = useTranslations("usage");
  const spend = useTranslations("spend");
  const shell = useTranslations("shell");
  const formats = useFormats();
  const [address, setAddress] = useQueryStates(usageAddress, { history: "push" });
  const input = usageInputOf(address, formats.today());
  const { data, error, isPlaceholderData, isPending, refetch } = trpc.usage.account.useQuery(input ?? skipToken, {
    placeholderData: keepPreviousData,
  });
  const { by, group, view } = address;

  const nameOf = ({ name, isRest }: SpendColumn) =>
    name ?? (isRest ? spend(by === "group" ? "otherGroups" : "otherKeys") : spend("noGroup"));
  const pathOf = ({ id }: SpendColumn) =>
    id === null ? undefined : by === "group" ? `/groups/${id}` : `/keys/${encodeURIComponent(id)}`;
  // While new figures load, the old ones belong to other days, so they are not shown.
  const table = data && input && !isPlaceholderData ? tabulate(data.data, input) : undefined;
  const isTable = view === "table";
  return (
    <>
      <PageHeading title={t("title")} description={t("description", { zone: useTimeZone() ?? "UTC" })} />
      <div className="grid grid-cols-1 gap-5">
        <UsageFilters address={address} setAddress={setAddress} today={formats.today()} isRefused={!input} />
        <FailureNotice error={error} onRetry={refetch} />
        {input && !error && (isPending || isPlaceholderData) && <Loading>{t("loading")}</Loading>}
        {table?.total === 0 && (
          <EmptyState
            icon="chart"
            title={t("empty.title")}
            action={
              group !== null && <Button onPress={() => setAddress({ group: null })}>{t("empty.allGroups")}</Button>
            }
            link={{ href: "/docs", label: shell("apiReference") }}
          >
            {t("empty.text")}
          </EmptyState>
        )}
        {table && table.total > 0 && input && (
          <>
            <Section
              title={t("perDay")}
              description={
                <>
                  {t("range", { from: formats.date(input.from), to: formats.date(input.to) })} ·{" "}
                  <strong className="font-semibold text-ink tabular-nums">
                    <Amount yuan={table.total} />
                  </strong>
                </>
              }
              actions={
                <>
                  <Button
                    size="small"
                    icon={isTable ? "chart" : "columns"}
                    onPress={() => setAddress({ view: isTable ? "chart" : "table" })}
                  >
                    {isTable ? t("showChart") : t("showTable")}
                  </Button>
                  <a
                    href={`/usage/export?${new URLSearchParams(input)}`}
                    download
                    className="inline-flex h-8 items-center rounded-lg px-2.5 text-[13px] text-ink-soft hover:bg-panel hover:text-ink pointer-coarse:h-10"
                  >
                    {t("export")}
                  </a>
                </>
              }
            >
              {isTable ? (
                <SpendFigures label={t("perDay")} table={table} nameOf={nameOf} />
              ) : (
                <SpendChart label={t("perDay")} table={table} nameOf={nameOf} />
              )}
            </Section>
            <Section title={by === "group" ? t("topGroups") : t("topKeys")}>
              <SpendList
                label={by === "group" ? t("topGroups") : t("topKeys")}
                table={table}
                nameOf={nameOf}
                pathOf={pathOf}
              />
            </Section>
          </>
        )}
      </div>
    </>
  );
}
