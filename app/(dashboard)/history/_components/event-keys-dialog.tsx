"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import type { HistoryEvent } from "@/server/history/schema";
import { EventDialog } from "./event-dialog";
import { KeyBefore } from "./event-item";
import { FieldChanges } from "./field-changes";

/** Shows all keys of one change, page by page, with their values before the change. */
export function EventKeysDialog({ event, onClose }: { event: HistoryEvent; onClose(): void }) {
  const t = useTranslations("history.keys");
  const [page, setPage] = useState(1);
  const list = trpc.history.keys.useQuery({ event_id: event.id, page }, { placeholderData: keepPreviousData });
  return (
    <EventDialog
      event={event}
      title={t("title", { count: event.key_count })}
      listName={t("name")}
      list={list}
      above={<FieldChanges before={{}} after={event.after} />}
      rows={list.data?.data.map((key) => (
        <li key={key.apikey_id} className="py-2">
          <KeyBefore historyKey={key} after={event.after} />
        </li>
      ))}
      onTurn={setPage}
      onClose={onClose}
    />
  );
}
