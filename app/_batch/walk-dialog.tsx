"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Notice } from "@/components/notice";
import { StepHeading } from "@/components/step-heading";
import { useBackGuard } from "@/components/use-back-guard";
import { LeftOutList } from "./left-out-list";
import type { useWalk } from "./use-walk";
import type { Walk } from "./walk";

/**
 * Shows how far a walk has come, and at its end what it has done. It can be stopped between two calls, and gone on with.
 * While it runs, the browser's Back stops it and leaves nothing, as closing does.
 */
export function WalkDialog({
  title,
  walk,
  doneText,
  onStop,
  onGoOn,
  onClose,
}: {
  title: ReactNode;
  walk: Walk;
  /** Says that so many keys were changed. */
  doneText(count: number): string;
  onStop: ReturnType<typeof useWalk>["stop"];
  onGoOn: ReturnType<typeof useWalk>["goOn"];
  onClose(): void;
}) {
  const t = useTranslations("batchWalk");
  const { state } = walk;
  const isRunning = state === "running" || state === "stopping";
  useBackGuard(isRunning, onStop);
  const isInterrupted = state === "stopped" || state === "broken";
  return (
    <Dialog
      title={title}
      onClose={isRunning ? onStop : onClose}
      footer={
        isRunning ? (
          <Button onPress={onStop} isPending={state === "stopping"} isFocusedFirst>
            {state === "stopping" ? t("stopping") : t("stop")}
          </Button>
        ) : (
          <>
            <Button variant={isInterrupted ? "secondary" : "primary"} onPress={onClose}>
              {t("close")}
            </Button>
            {isInterrupted && (
              <Button variant="primary" onPress={onGoOn}>
                {t("goOn")}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="grid gap-4">
        <StepHeading key={isRunning ? "running" : state}>{t(`state.${isRunning ? "running" : state}`)}</StepHeading>
        <Progress walk={walk} />
        {isRunning && <p className="text-sm leading-relaxed text-ink-soft">{t("note")}</p>}
        {state === "broken" && <FailureNotice error={walk.error} />}
        {!isRunning && <Result walk={walk} doneText={doneText} />}
      </div>
    </Dialog>
  );
}

function Progress({ walk: { seen, total, state } }: { walk: Walk }) {
  const t = useTranslations("batchWalk");
  const text = t("progress", { seen, total });
  const share = total === 0 ? 1 : seen / total;
  const tone = state === "done" ? "bg-good" : state === "broken" ? "bg-danger" : "bg-accent";
  return (
    <div className="grid gap-2">
      <div
        role="progressbar"
        aria-label={t("progressName")}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={seen}
        aria-valuetext={text}
        className="h-2 overflow-hidden rounded-full bg-track forced-color-adjust-none"
      >
        <div
          className={`h-full rounded-full motion-safe:transition-[width] motion-safe:duration-300 ${tone}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      <p role="status" className="text-sm text-ink-soft tabular-nums">
        {text}
      </p>
    </div>
  );
}

function Result({ walk, doneText }: { walk: Walk; doneText(count: number): string }) {
  const t = useTranslations("batchWalk");
  const { state, seen, total, updated, unchanged, leftOut } = walk;
  return (
    <div className="grid gap-3">
      <Notice tone={state === "done" ? "good" : "info"}>
        <p>{doneText(updated)}</p>
        {unchanged > 0 && <p>{t("unchanged", { count: unchanged })}</p>}
        {state !== "done" && <p>{t("rest", { count: Math.max(0, total - seen) })}</p>}
        {updated > 0 && (
          <Link href="/history" className="underline underline-offset-4">
            {t("history")}
          </Link>
        )}
      </Notice>
      <LeftOutList leftOut={leftOut} />
    </div>
  );
}
