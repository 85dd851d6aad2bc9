"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { usePriceTexts } from "@/app/_prices/price-texts";
import { trpc } from "@/app/_trpc/client";
import { BreakableName } from "@/components/breakable-name";
import type { HistoryEvent } from "@/server/history/schema";
import { type EventChange, FROM_EVER } from "@/server/prices/schema";
import { EventDialog } from "./event-dialog";
import { FieldChanges } from "./field-changes";
import { tellingValues } from "./price-values";

/** Shows all prices of models that one change set, page by page, with what of each changed. */
export function EventPricesDialog({ event, onClose }: { event: HistoryEvent; onClose(): void }) {
  const t = useTranslations("history.prices");
  const [page, setPage] = useState(1);
  const list = trpc.models.ofEvent.useQuery({ event_id: event.id, page }, { placeholderData: keepPreviousData });
  return (
    <EventDialog
      event={event}
      title={t("title", { count: Number(event.after.price_count) })}
      listName={t("name")}
      list={list}
      rows={list.data?.data.map((price) => (
        <li key={`${price.name} ${price.valid_from}`} className="grid gap-1 py-2">
          <PriceBefore price={price} />
        </li>
      ))}
      onTurn={setPage}
      onClose={onClose}
    />
  );
}

/** One price: what became of it, and the fields that changed. */
function PriceBefore({ price: { change, name, valid_from, before, after } }: { price: EventChange }) {
  const t = useTranslations("history.prices");
  const texts = usePriceTexts();
  const [own, others] = [fieldsOf(before), fieldsOf(after)];
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 text-[0.8125rem]">
        <bdi className="font-medium [overflow-wrap:anywhere]">
          <BreakableName>{name}</BreakableName>
        </bdi>
        <span className="text-ink-soft">{t(`changes.${change}`)}</span>
        {valid_from !== FROM_EVER && <span className="text-ink-soft">{t("from", { day: texts.day(valid_from) })}</span>}
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
