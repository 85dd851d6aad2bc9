"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { EventSentence } from "@/app/_history/event-sentence";
import { trpc } from "@/app/_trpc/client";
import { isUnanswered } from "@/app/_trpc/failure";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useRefresh } from "@/app/_trpc/use-refresh";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { Dialog } from "@/components/dialog";
import { Loading } from "@/components/loading";
import { Notice } from "@/components/notice";
import { useAttempt } from "@/components/use-attempt";
import type { HistoryEvent } from "@/server/history/schema";
import { nounOf } from "./event-noun";
import { LeftOutList } from "./left-out-list";
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
  const refresh = useRefresh();
  const [isForced, setForced] = useState(false);
  const [answered, setAnswered] = useState<Awaited<ReturnType<typeof revert>>>();
  /** What an attempt whose answer was lost was to do. */
  const [lost, setLost] = useState<typeof answered>();
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
  const shown = preview.data;
  const found = shown?.preview;
  const isNothing = !found || (found.changes.length === 0 && !found.price_count);
  const plannedCount = found?.price_count ?? found?.key_count ?? 0;
  const { attempt, error, isPending } = useAttempt(async () => {
    try {
      setAnswered(await revert(false));
    } catch (error) {
      // The preview of a group counts no keys.
      if (isUnanswered(error) && shown) setLost({ ...shown, updated_count: Math.max(plannedCount, 1) });
      throw error;
    } finally {
      // The answer may have been lost.
      void refresh();
    }
  });
  const noun = nounOf(event);
  // When nothing is left of what that attempt was to do, it has done it.
  const done = answered ?? (isNothing ? lost : undefined);
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
            {t(`done.${noun}`, { count: done.updated_count })}
          </Notice>
          <LeftOutList failed={done.failed} count={done.failed_count} />
        </div>
      </Dialog>
    );
  }
  const skippedCount = shown?.skipped_count ?? 0;
  return (
    <Dialog
      title={t("title")}
      description={description}
      width="large"
      onClose={onClose}
      isClosable={!isPending}
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
            {noun === "group" || isNothing ? t("button") : t(`run.${noun}`, { count: plannedCount })}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FailureNotice error={preview.error} onRetry={preview.refetch} />
        {preview.isPending && <Loading>{t("loading")}</Loading>}
        {found && !isNothing && (
          <PreviewOfUndo preview={found} noun={noun} isDisabling={event.action === "key.enabled"} />
        )}
        {found && isNothing && (
          <p className="text-sm">{t(noun === "price" && skippedCount > 0 ? "pricesTogether" : "nothing")}</p>
        )}
        {shown && <LeftOutList failed={shown.failed} count={shown.failed_count} />}
        {(skippedCount > 0 || isForced) && (
          <div className="justify-self-start">
            <Checkbox label={t("force")} isLabelShown state={isForced} onChange={setForced} isDisabled={isPending} />
          </div>
        )}
        {/* After a failure the preview is read again, and would tell the same a second time. */}
        {!preview.error && <FailureNotice error={error} />}
      </div>
    </Dialog>
  );
}
