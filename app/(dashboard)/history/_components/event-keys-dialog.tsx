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

/** Shows all keys of one change, page by page, with their values before the change. */
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
                  <KeyBefore historyKey={key} after={event.after} />
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
