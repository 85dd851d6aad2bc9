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
import { KeyBefore } from "./event-item";
import { FieldChanges } from "./field-changes";

/** All keys of one change, page by page, with the values that they had. */
export function EventKeysDialog({ event, onClose }: { event: HistoryEvent; onClose(): void }) {
  const t = useTranslations("history");
  const formats = useFormats();
  const [page, setPage] = useState(1);
  const { data, error, isPending, refetch } = trpc.history.keys.useQuery(
    { event_id: event.id, page },
    { placeholderData: keepPreviousData },
  );
  return (
    <Dialog
      title={t("keys.title", { count: event.key_count })}
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
        <FieldChanges before={{}} after={event.after} />
        <FailureNotice error={error} onRetry={refetch} />
        {isPending && <Loading>{t("loading")}</Loading>}
        {data && (
          <div>
            <ul aria-label={t("keys.name")} className="divide-y divide-line border-y border-line">
              {data.data.map((key) => (
                <li key={key.apikey_id} className="py-2">
                  <KeyBefore historyKey={key} />
                </li>
              ))}
            </ul>
            <Pager
              first={(data.page - 1) * data.page_size + 1}
              last={(data.page - 1) * data.page_size + data.data.length}
              total={data.total}
              onPrevious={page > 1 ? () => setPage(page - 1) : undefined}
              onNext={page * data.page_size < data.total ? () => setPage(page + 1) : undefined}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}
