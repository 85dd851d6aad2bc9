"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { useLastPage } from "@/app/_address/use-last-page";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Amount } from "@/components/amount";
import { Notice } from "@/components/notice";
import { Pager } from "@/components/pager";
import { Section } from "@/components/section";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import { OPEN_PAGE_SIZE } from "./open-page";

/** The open authorizations of a key. */
export function OpenAuthorizations({ apikeyId }: { apikeyId: string }) {
  const t = useTranslations("keys.open");
  const formats = useFormats();
  const [page, setPage] = useState(1);
  const { data, error, isPlaceholderData, refetch } = trpc.authorizations.list.useQuery(
    { apikey_id: apikeyId, page, page_size: OPEN_PAGE_SIZE },
    { placeholderData: keepPreviousData },
  );
  useLastPage(page, isPlaceholderData ? undefined : data, setPage);
  const total = data?.total ?? 0;
  const most = data?.max_open_holds ?? 0;
  return (
    <Section title={t("title")} description={t("text")}>
      <FailureNotice error={error} onRetry={refetch} />
      {data && total === 0 && <p className="text-sm text-ink-soft">{t("none")}</p>}
      {data && total > 0 && (
        <>
          <p className="mb-3 text-sm tabular-nums">
            {t("count", { count: formats.count(total), most: formats.count(most) })}
          </p>
          {total >= most && (
            <div className="mb-3">
              <Notice tone="warn">{t("full")}</Notice>
            </div>
          )}
          <Table
            label={t("title")}
            isBusy={isPlaceholderData}
            head={
              <>
                <HeadCell>{t("since")}</HeadCell>
                <HeadCell align="end">{t("held")}</HeadCell>
                <HeadCell>{t("ends")}</HeadCell>
                <HeadCell>{t("request")}</HeadCell>
                <HeadCell>{t("gateway")}</HeadCell>
                <HeadCell>{t("id")}</HeadCell>
              </>
            }
          >
            {data.data.map(({ authorization_id, request_id, gateway, amount, created_at, expires_at }) => (
              <tr key={authorization_id}>
                <Cell className="whitespace-nowrap">
                  <time dateTime={new Date(created_at * 1000).toISOString()}>
                    {formats.moment(created_at, { withSeconds: true })}
                  </time>
                </Cell>
                <Cell align="end">
                  <Amount yuan={amount} ofCall />
                </Cell>
                <Cell className="whitespace-nowrap">
                  <time dateTime={new Date(expires_at * 1000).toISOString()}>
                    {formats.moment(expires_at, { withSeconds: true })}
                  </time>
                </Cell>
                <Cell {...(request_id !== null && { className: "max-w-60 min-w-40 [overflow-wrap:anywhere]" })}>
                  <bdi>{request_id}</bdi>
                </Cell>
                <Cell className={gateway === null ? "text-ink-soft" : "[overflow-wrap:anywhere]"}>
                  {gateway ?? t("account")}
                </Cell>
                <Cell isHead>
                  <code className="font-mono text-xs text-ink-soft">{authorization_id}</code>
                </Cell>
              </tr>
            ))}
          </Table>
          <Pager
            page={data.page}
            pageSize={data.page_size}
            rowCount={data.data.length}
            total={total}
            onTurn={setPage}
          />
        </>
      )}
    </Section>
  );
}
