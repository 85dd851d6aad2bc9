"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { EventSentence } from "@/app/_history/event-sentence";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useLeftOutText } from "@/app/_undo/left-out-text";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { Dialog } from "@/components/dialog";
import { Loading } from "@/components/loading";
import { Notice } from "@/components/notice";
import { useAttempt } from "@/components/use-attempt";
import type { HistoryEvent, LeftOut } from "@/server/history/schema";
import { PreviewOfUndo } from "./undo-preview";

/** Undoes a change: shows first what would happen, and in the end what has happened. */
export function UndoDialog({
  event,
  isGroupLiving,
  onClose,
}: {
  event: HistoryEvent;
  isGroupLiving: boolean;
  onClose(): void;
}) {
  const t = useTranslations("undo");
  const utils = trpc.useUtils();
  const [isForced, setForced] = useState(false);
  const [done, setDone] = useState<Awaited<ReturnType<typeof revert>>>();
  const revert = (dry_run: boolean) =>
    utils.client.history.revert.mutate({ event_id: event.id, force: isForced, dry_run });
  const preview = useQuery({
    queryKey: ["undo", event.id, isForced],
    queryFn: () => revert(true),
    // The keys may change at any time.
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const { attempt, error, isPending } = useAttempt(async () => {
    setDone(await revert(false));
    await utils.invalidate();
  });
  const isOfGroup = event.action === "group.changed";
  const description = <EventSentence event={event} isGroupLiving={isGroupLiving} />;

  if (done) {
    return (
      <Dialog
        title={t("result")}
        description={description}
        onClose={onClose}
        footer={
          <Button variant="primary" onPress={onClose} isFocusedFirst>
            {t("close")}
          </Button>
        }
      >
        <div className="grid gap-4">
          <Notice tone={done.failed_count > 0 ? "warn" : "good"}>
            {isOfGroup ? t("doneOfGroup", { count: done.updated_count }) : t("done", { count: done.updated_count })}
          </Notice>
          <LeftOutList failed={done.failed} count={done.failed_count} />
        </div>
      </Dialog>
    );
  }
  const shown = preview.data;
  const found = shown?.preview;
  const skippedCount = shown?.skipped_count ?? 0;
  const isNothing = !found || found.changes.length === 0;
  return (
    <Dialog
      title={t("title")}
      description={description}
      width="large"
      onClose={() => !isPending && onClose()}
      footer={
        <>
          <Button onPress={onClose} isDisabled={isPending} isFocusedFirst>
            {t("cancel")}
          </Button>
          <Button
            variant={found && found.blocked_count > 0 ? "danger" : "primary"}
            onPress={attempt}
            isPending={isPending || preview.isPlaceholderData}
            isDisabled={isNothing}
          >
            {isOfGroup || isNothing ? t("button") : t("run", { count: found.key_count })}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FailureNotice error={preview.error} onRetry={preview.refetch} />
        {preview.isPending && <Loading>{t("loading")}</Loading>}
        {found && !isNothing && (
          <PreviewOfUndo preview={found} isOfGroup={isOfGroup} isDisabling={event.action === "key.enabled"} />
        )}
        {found && isNothing && <p className="text-sm">{t("nothing")}</p>}
        {shown && <LeftOutList failed={shown.failed} count={shown.failed_count} />}
        {(skippedCount > 0 || isForced) && (
          <div className="justify-self-start">
            <Checkbox label={t("force")} isLabelShown state={isForced} onChange={setForced} isDisabled={isPending} />
          </div>
        )}
        <FailureNotice error={error} />
      </div>
    </Dialog>
  );
}

/** What stays as it is, each with the reason. */
function LeftOutList({ failed, count }: { failed: LeftOut[]; count: number }) {
  const t = useTranslations("undo");
  const leftOutText = useLeftOutText();
  if (count === 0) return null;
  return (
    <div className="grid gap-2 text-sm">
      <h3 className="font-medium">{t("left", { count })}</h3>
      <ul
        aria-label={t("left", { count })}
        className="max-h-64 divide-y divide-line overflow-y-auto border-y border-line"
      >
        {failed.map(({ apikey_id, group_id, name, ...reason }) => (
          <li key={apikey_id ?? group_id} className="flex flex-wrap justify-between gap-x-4 py-2">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {name !== null && <bdi className="font-medium">{name} </bdi>}
              {apikey_id !== null && <code className="font-mono text-xs text-ink-soft">{apikey_id}</code>}
            </span>
            <span className="text-ink-soft">{leftOutText(reason)}</span>
          </li>
        ))}
      </ul>
      {count > failed.length && <p className="text-ink-soft">{t("moreKeys", { count: count - failed.length })}</p>}
    </div>
  );
}
