"use client";

import { keepPreviousData } from "@tanstack/react-query";
import type { SetValues } from "nuqs";
import { useTranslations } from "use-intl/react";
import { useLastPage } from "@/app/_address/use-last-page";
import { DownloadLink } from "@/app/_csv/download-link";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Icon } from "@/components/icon";
import { Loading } from "@/components/loading";
import { Pager } from "@/components/pager";
import { SearchField } from "@/components/search-field";
import { Section } from "@/components/section";
import { TotalsTable } from "./totals-table";
import { totalsInputOf, type UsageAddress, type usageAddress, type usageInputOf } from "./usage-address";

/** What every group, key or model spent in the range: a table that is searched, sorted and paged, and a file with all of them. */
export function TotalsSection({
  address,
  setAddress,
  input,
}: {
  address: UsageAddress;
  setAddress: SetValues<typeof usageAddress>;
  /** The input of the chart. */
  input: NonNullable<ReturnType<typeof usageInputOf>>;
}) {
  const t = useTranslations("usage.totals");
  const { by, group, q, sort, order, page } = address;
  const { data, error, isPlaceholderData, refetch } = trpc.usage.totals.useQuery(totalsInputOf(address, input), {
    placeholderData: keepPreviousData,
  });

  useLastPage(page, isPlaceholderData ? undefined : data, (last) => setAddress({ page: last }, { history: "replace" }));

  // Where nothing was spent at all, the section of days says so.
  if (data?.total === 0 && q === "" && !isPlaceholderData) return null;
  return (
    <Section
      title={t(`title.${by}`)}
      description={t(`text.${by}`)}
      actions={
        <DownloadLink href={`/usage/export/all?${new URLSearchParams(input)}`}>
          <Icon name="download" />
          {t("export")}
        </DownloadLink>
      }
    >
      <div className="mb-3 max-w-sm">
        <SearchField
          label={t(`search.${by}`)}
          value={q}
          onChange={(next) => setAddress({ q: next, page: 1 }, { history: "replace" })}
        />
      </div>
      <FailureNotice error={error} onRetry={refetch} />
      {!data && !error && (
        <div className="min-h-80">
          <Loading>{t("loading")}</Loading>
        </div>
      )}
      {data && !error && (
        <>
          <TotalsTable
            label={t(`title.${by}`)}
            by={by}
            found={data}
            isBusy={isPlaceholderData}
            isPart={q !== "" || group !== null}
            sorting={{ sort, order, onSort: (sort, order) => setAddress({ sort, order, page: 1 }) }}
          />
          <Pager
            page={data.page}
            pageSize={data.page_size}
            rowCount={data.data.length}
            total={data.total}
            asked={address.page}
            onTurn={(page) => setAddress({ page })}
          />
        </>
      )}
    </Section>
  );
}
