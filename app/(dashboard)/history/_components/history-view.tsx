"use client";

import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { useTimeZone, useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loading } from "@/components/loading";
import { PageHeading } from "@/components/page-heading";
import { Pager } from "@/components/pager";
import { useFormats } from "@/components/use-formats";
import type { HistoryEvent } from "@/server/history/schema";
import { EventItem } from "./event-item";
import { EventKeysDialog } from "./event-keys-dialog";
import { EventPricesDialog } from "./event-prices-dialog";
import { eventsInput, type HistoryAddress, historyAddress, isNarrowed } from "./history-address";
import { HistoryFilters } from "./history-filters";
import { UndoDialog } from "./undo-dialog";

/** The changes that match the filters of the address, newest first. */
export function HistoryView() {
  const t = useTranslations("history");
  const timeZone = useTimeZone() ?? "UTC";
  const [address, setAddress] = useQueryStates(historyAddress, { history: "push" });
  const today = useFormats().today();
  const events = trpc.history.list.useQuery(eventsInput(address, today), { placeholderData: keepPreviousData });
  const [opened, setOpened] = useState<HistoryEvent>();
  const [priced, setPriced] = useState<HistoryEvent>();
  const [undone, setUndone] = useState<HistoryEvent>();
  const { data } = events;
  // Of a group that was deleted, the event has the name, but there is no page.
  const groupIds = [...new Set(data?.data.flatMap(({ group_id }) => group_id ?? []))];
  const groups = trpc.groups.names.useQuery(groupIds.length > 0 ? { group_ids: groupIds.join(",") } : skipToken, {
    placeholderData: keepPreviousData,
  });

  // It returns nothing: the address changes at once, and a button would wait for a promise.
  const narrow = (change: Partial<HistoryAddress>) => {
    setAddress({ ...change, page: null });
  };
  const clear = () =>
    narrow({ search: null, action: null, actor: null, key: "", group: null, range: null, from: null, to: null });
  const livingGroups = new Set(groups.data?.data.map(({ id }) => id));
  const isGroupLiving = ({ group_id }: HistoryEvent) => group_id !== null && livingGroups.has(group_id);
  return (
    <>
      <PageHeading title={t("title")} description={t("description", { zone: timeZone })} />
      <HistoryFilters address={address} today={today} onNarrow={narrow} onClear={clear} />
      <FailureNotice error={events.error} onRetry={events.refetch} />
      {events.isPending && <Loading>{t("loading")}</Loading>}
      {data?.data.length === 0 &&
        (isNarrowed(address) || data.total > 0 ? (
          <EmptyState
            icon="filter"
            title={t("noMatch.title")}
            action={
              <Button icon="x" onPress={clear}>
                {t("clear")}
              </Button>
            }
          >
            {t("noMatch.text")}
          </EmptyState>
        ) : (
          <EmptyState icon="history" title={t("empty.title")} link={{ href: "/docs", label: t("empty.reference") }}>
            {t("empty.text")}
          </EmptyState>
        ))}
      {data && data.data.length > 0 && (
        <>
          <ol
            aria-label={t("title")}
            aria-busy={events.isPlaceholderData}
            className={`divide-y divide-line rounded-xl border border-line bg-raised transition-opacity ${events.isPlaceholderData ? "opacity-60 delay-300" : ""}`}
          >
            {data.data.map((event) => (
              <EventItem
                key={event.id}
                event={event}
                isGroupLiving={isGroupLiving(event)}
                onShowKeys={setOpened}
                onShowPrices={setPriced}
                onUndo={setUndone}
              />
            ))}
          </ol>
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
      {undone && (
        <UndoDialog event={undone} isGroupLiving={isGroupLiving(undone)} onClose={() => setUndone(undefined)} />
      )}
      {priced && <EventPricesDialog event={priced} onClose={() => setPriced(undefined)} />}
      {opened && <EventKeysDialog event={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
