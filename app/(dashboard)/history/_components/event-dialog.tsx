"use client";

import type { ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Loading } from "@/components/loading";
import { Pager } from "@/components/pager";
import { useFormats } from "@/components/use-formats";
import type { HistoryEvent } from "@/server/history/schema";

/** A dialog with all that one change was done to, page by page. */
export function EventDialog({
  event,
  title,
  listName,
  list: { data, error, isPending, refetch },
  above,
  rows,
  onTurn,
  onClose,
}: {
  event: HistoryEvent;
  title: string;
  /** Accessible name of the list. */
  listName: string;
  list: {
    data: { data: unknown[]; page: number; page_size: number; total: number } | undefined;
    error: Parameters<typeof FailureNotice>[0]["error"];
    isPending: boolean;
    refetch(): unknown;
  };
  above?: ReactNode;
  /** An `<li>` each. */
  rows: ReactNode;
  onTurn(page: number): void;
  onClose(): void;
}) {
  const t = useTranslations("history");
  const formats = useFormats();
  return (
    <Dialog
      title={title}
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
        {above}
        <FailureNotice error={error} onRetry={refetch} />
        {isPending && <Loading>{t("loading")}</Loading>}
        {data && (
          <div>
            <ul
              aria-label={listName}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the part that scrolls
              tabIndex={0}
              className="divide-y divide-line border-y border-line"
            >
              {rows}
            </ul>
            <Pager
              page={data.page}
              pageSize={data.page_size}
              rowCount={data.data.length}
              total={data.total}
              onTurn={onTurn}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}
