"use client";

import { keepPreviousData } from "@tanstack/react-query";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import { useTranslations } from "use-intl/react";
import { useLastPage } from "@/app/_address/use-last-page";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loading } from "@/components/loading";
import { PageHeading } from "@/components/page-heading";
import { Pager } from "@/components/pager";
import { FilterSelect } from "@/components/select-field";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import { REFUSALS } from "@/server/keys/schema";
import { refusedAddress, refusedInput } from "./refused-address";

/** The keys of which calls were refused in the last days, each with its reason. */
export function RefusedKeysView() {
  const t = useTranslations("overview.refusedKeys");
  const words = useTranslations("overview");
  const reasons = useTranslations("keys.refusals.reasons");
  const formats = useFormats();
  const [address, setAddress] = useQueryStates(refusedAddress, { history: "push" });
  const input = refusedInput(address, formats.today());
  const { data, error, isPending, isPlaceholderData, refetch } = trpc.overview.refusals.useQuery(input, {
    placeholderData: keepPreviousData,
  });
  useLastPage(address.page, isPlaceholderData ? undefined : data, (page) =>
    setAddress({ page }, { history: "replace" }),
  );
  // It returns nothing: the address changes at once, and a button would wait for a promise.
  const choose = (value: string) => {
    setAddress({ code: REFUSALS.find((code) => code === value) ?? null, page: null });
  };
  const reasonOf = (code: string) => {
    const reason = REFUSALS.find((each) => each === code);
    return reason ? reasons(reason) : code;
  };
  return (
    <>
      <PageHeading
        title={t("title")}
        description={t("description", { from: formats.date(input.from), to: formats.date(input.to) })}
        back={{ href: "/overview", label: t("back") }}
      />
      <div className="mb-4 flex">
        <FilterSelect
          label={t("code")}
          value={address.code ?? ""}
          onChange={choose}
          options={[
            { value: "", label: t("anyCode") },
            ...REFUSALS.filter((code) => code !== "key_not_found").map((code) => ({
              value: code,
              label: reasons(code),
            })),
          ]}
        />
      </div>
      <FailureNotice error={error} onRetry={refetch} />
      {isPending && <Loading>{words("loading")}</Loading>}
      {data?.total === 0 && (
        <EmptyState
          icon="check"
          title={t("empty.title")}
          action={address.code && <Button onPress={() => choose("")}>{t("empty.clear")}</Button>}
        >
          {t("empty.text")}
        </EmptyState>
      )}
      {data && data.data.length > 0 && (
        <>
          <Table
            label={t("title")}
            isBusy={isPlaceholderData}
            isCards
            head={
              <>
                <HeadCell card="name">{t("key")}</HeadCell>
                <HeadCell>{t("code")}</HeadCell>
                <HeadCell align="end">{t("count")}</HeadCell>
                <HeadCell align="end">{t("lastDay")}</HeadCell>
              </>
            }
          >
            {data.data.map(({ apikey_id, name, code, count, last_day }) => (
              <tr key={`${apikey_id} ${code}`}>
                <Cell isHead card="name" className="min-w-40 text-left">
                  <Link
                    href={`/keys/${encodeURIComponent(apikey_id)}`}
                    prefetch={false}
                    className="font-medium underline-offset-4 [overflow-wrap:anywhere] hover:underline"
                  >
                    <bdi>{name}</bdi>
                  </Link>
                  <code className="block font-mono text-xs text-ink-soft">{apikey_id}</code>
                </Cell>
                <Cell card="state" className="min-w-44">
                  {reasonOf(code)}
                </Cell>
                <Cell align="end" card="amount" label={t("count")} className="font-medium">
                  {formats.count(count)}
                </Cell>
                <Cell align="end" card="amount" label={t("lastDay")}>
                  <time dateTime={last_day}>{formats.shortDate(last_day)}</time>
                </Cell>
              </tr>
            ))}
          </Table>
          <Pager
            page={data.page}
            pageSize={data.page_size}
            rowCount={data.data.length}
            total={data.total}
            isTotalExact={data.total_is_exact}
            asked={address.page}
            onTurn={(page) => setAddress({ page })}
          />
        </>
      )}
    </>
  );
}
