"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Loading } from "@/components/loading";
import { Pager } from "@/components/pager";
import { useFormats } from "@/components/use-formats";
import type { HistoryEvent } from "@/server/history/schema";
import { type EventChange, FROM_EVER } from "@/server/prices/schema";
import { FieldChanges } from "./field-changes";
import { tellingValues } from "./price-values";

/** Shows all prices of models that one change set, page by page, with what of each changed. */
export function EventPricesDialog({ event, onClose }: { event: HistoryEvent; onClose(): void }) {
  const t = useTranslations("history");
  const formats = useFormats();
  const [page, setPage] = useState(1);
  const { data, error, isPending, refetch } = trpc.models.ofEvent.useQuery(
    { event_id: event.id, page },
    { placeholderData: keepPreviousData },
  );
  return (
    <Dialog
      title={t("prices.title", { count: Number(event.after.price_count) })}
      description={formats.moment(event.at, { withSeconds: true, withZone: true })}
      onClose={onClose}
      width="large"
      footer={
        <Button variant="primary" onPress={onClose} isFocusedFirst>
          {t("keys.close")}
        </Button>
      }
    >
      <div className="grid gap-3">
        <FailureNotice error={error} onRetry={refetch} />
        {isPending && <Loading>{t("loading")}</Loading>}
        {data && (
          <div>
            <ul
              aria-label={t("prices.name")}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the part that scrolls
              tabIndex={0}
              className="divide-y divide-line border-y border-line"
            >
              {data.data.map((price) => (
                <li key={`${price.name} ${price.valid_from}`} className="grid gap-1 py-2">
                  <PriceBefore price={price} />
                </li>
              ))}
            </ul>
            <Pager
              page={data.page}
              pageSize={data.page_size}
              rowCount={data.data.length}
              total={data.total}
              onTurn={setPage}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** One price: what became of it, and the fields that changed. */
function PriceBefore({ price: { change, name, valid_from, before, after } }: { price: EventChange }) {
  const t = useTranslations("history.prices");
  const [own, others] = [fieldsOf(before), fieldsOf(after)];
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 text-[13px]">
        <bdi className="font-medium [overflow-wrap:anywhere]">{name}</bdi>
        <span className="text-ink-soft">{t(`changes.${change}`)}</span>
        {valid_from !== FROM_EVER && <span className="text-ink-soft">{t("from", { day: valid_from })}</span>}
      </p>
      <FieldChanges before={tellingValues(own, others)} after={tellingValues(others, own)} />
    </>
  );
}

/** The fields without the prices in yuan, which follow from them. */
function fieldsOf(price: EventChange["before"]): Record<string, unknown> {
  if (price === null) return {};
  const { prices: _, ...fields } = price;
  return fields;
}
