"use client";

import { type ReactNode, useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { type Attempt, toldOf } from "@/app/_batch/attempts";
import { LeftOutList } from "@/app/_batch/left-out-list";
import { newRequestId } from "@/app/_batch/request-id";
import { type BatchTarget, countOf } from "@/app/_batch/target";
import { useWalk } from "@/app/_batch/use-walk";
import { WalkDialog } from "@/app/_batch/walk-dialog";
import { CeilingMeaning } from "@/app/_ceilings/ceiling-meaning";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useUndoableToast } from "@/app/_undo/use-undoable-toast";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { FormDialog } from "@/components/form-dialog";
import { bdi } from "@/components/isolate";
import { StepHeading } from "@/components/step-heading";
import { useAttempt } from "@/components/use-attempt";
import type { FailedKey, LeftOutKeys } from "@/server/keys/schema";
import {
  type BatchPatch,
  ceilingsOfChoice,
  faultsOfChoice,
  type LimitChoice,
  NO_CHOICE,
  patchOfChoice,
} from "./batch/choice";
import { ChoiceFields } from "./batch/choice-fields";
import { Outcome } from "./batch/outcome";
import { type Preview, PreviewOfChanges } from "./batch/preview";
import { useSetLimits } from "./batch/use-set-limits";

type Step =
  | { name: "choice" }
  | {
      name: "preview";
      patch: BatchPatch;
      requestId: string;
      preview: Preview;
      failing: FailedKey[];
      leftOut: LeftOutKeys[];
    }
  | { name: "outcome"; patch: BatchPatch; attempts: Attempt[]; nextRequestId: string; failed: FailedKey[] };

/** Sets limits of many keys in three steps: choose what changes, preview the changes, see which keys have them. */
export function BatchLimitsDialog({
  target,
  initial = NO_CHOICE,
  onClose,
  onDone,
}: {
  target: BatchTarget;
  /** What is ticked and filled in at first. */
  initial?: LimitChoice | undefined;
  /** Closed before anything was changed. */
  onClose(): void;
  /** Closed after limits were set. */
  onDone(): void;
}) {
  const t = useTranslations("batchLimits");
  const [step, setStep] = useState<Step>({ name: "choice" });
  const [choice, setChoice] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const setLimits = useSetLimits(target);
  const toast = useUndoableToast();
  const openedAt = useRef(performance.now());
  const faults = faultsOfChoice(choice);
  // The choice may have changed while its preview was on the way. What was previewed is set.
  const patch = step.name === "choice" ? patchOfChoice(choice) : step.patch;
  const meaning = ceilingsOfChoice(choice);
  const title =
    target.kind === "group"
      ? t.rich("titleOfGroup", { name: target.name, bdi })
      : t("titleOfKeys", { count: countOf(target) });
  const { walk, start, stop, goOn } = useWalk((place) => setLimits.runPart(patch, place));

  if (walk) {
    return (
      <WalkDialog
        title={title}
        walk={walk}
        doneText={(count) => t("outcome.updated", { count })}
        onStop={stop}
        onGoOn={goOn}
        onClose={onDone}
      />
    );
  }

  switch (step.name) {
    case "choice":
      return (
        <FormDialog
          title={title}
          width="large"
          action={t("showPreview")}
          check={() => {
            setChecked(true);
            return choice.ticked.size > 0 && Object.keys(faults).length === 0;
          }}
          onSubmit={async () => {
            const { preview, failed, left_out: leftOut = [] } = await setLimits.preview(patch);
            if (!preview) return;
            setStep({ name: "preview", patch, requestId: newRequestId(), preview, failing: failed, leftOut });
          }}
          Failure={FailureNotice}
          isLeavable
          onClose={onClose}
        >
          <StepHeading isFocused={isChecked}>{t("introduction")}</StepHeading>
          <ChoiceFields choice={choice} onChange={setChoice} faults={isChecked ? faults : {}} />
          {meaning && <CeilingMeaning {...meaning} />}
          <p aria-live="polite" className="text-[0.8125rem] text-danger empty:hidden">
            {isChecked && choice.ticked.size === 0 && t("nothingTicked")}
          </p>
        </FormDialog>
      );
    case "preview":
      return (
        <PreviewStep
          title={title}
          preview={step.preview}
          failing={step.failing}
          leftOut={step.leftOut}
          run={async () => {
            if (target.kind === "filter") start(step.preview.key_count);
            else {
              const { requestId } = step;
              const { updatedCount: count, failed } = await setLimits.run(patch, requestId);
              const attempts = [{ requestId, count }];
              setStep({ name: "outcome", patch, attempts, nextRequestId: newRequestId(), failed });
            }
          }}
          onBack={() => setStep({ name: "choice" })}
          onClose={onClose}
        />
      );
    case "outcome": {
      const { count, requestIds } = toldOf(step.attempts);
      return (
        <OutcomeStep
          title={title}
          updatedCount={count}
          failed={step.failed}
          retry={async () => {
            const ids = step.failed.map(({ apikey_id }) => apikey_id);
            const requestId = step.nextRequestId;
            const { updatedCount, failed } = await setLimits.runOn(ids, patch, requestId);
            const attempts = [...step.attempts, { requestId, count: updatedCount }];
            setStep({ ...step, attempts, nextRequestId: newRequestId(), failed });
          }}
          onClose={() => {
            const change = { action: "key.limits_set", requestIds, since: openedAt.current } as const;
            if (count > 0) toast(t("outcome.updated", { count }), change);
            onDone();
          }}
        />
      );
    }
  }
}

function PreviewStep({
  title,
  preview,
  failing,
  leftOut,
  run,
  onBack,
  onClose,
}: {
  title: ReactNode;
  preview: Preview;
  failing: FailedKey[];
  leftOut: LeftOutKeys[];
  run(): Promise<void>;
  onBack(): void;
  onClose(): void;
}) {
  const t = useTranslations("batchLimits");
  const { attempt, error, isPending } = useAttempt(run);
  const { key_count, blocked_count } = preview;
  return (
    <Dialog
      title={title}
      // Its outcome must be seen.
      onClose={onClose}
      isClosable={!isPending}
      width="large"
      footer={
        <>
          <Button onPress={onBack} isDisabled={isPending}>
            {t("back")}
          </Button>
          <Button
            variant={blocked_count > 0 ? "danger" : "primary"}
            onPress={attempt}
            isPending={isPending}
            isDisabled={key_count === 0}
          >
            {t("run", { count: key_count })}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <StepHeading>{t(isPending ? "running" : "preview.summary", { count: key_count })}</StepHeading>
        <PreviewOfChanges preview={preview} failed={failing} />
        <LeftOutList leftOut={leftOut} />
        <FailureNotice error={error} />
      </div>
    </Dialog>
  );
}

function OutcomeStep({
  title,
  updatedCount,
  failed,
  retry,
  onClose,
}: {
  title: ReactNode;
  updatedCount: number;
  failed: FailedKey[];
  retry(): Promise<void>;
  onClose(): void;
}) {
  const t = useTranslations("batchLimits");
  const { attempt, error, isPending } = useAttempt(retry);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isClosable={!isPending}
      width="large"
      footer={
        <Button variant="primary" onPress={onClose} isDisabled={isPending}>
          {t("close")}
        </Button>
      }
    >
      <div className="grid gap-4">
        {/* The key renders a new heading after a retry. It takes the focus, because the retry button may be gone. */}
        <StepHeading key={failed.length}>
          {failed.length === 0 ? t("outcome.done") : t("outcome.partlyDone")}
        </StepHeading>
        <Outcome updatedCount={updatedCount} failed={failed} onRetry={attempt} />
        <FailureNotice error={error} />
      </div>
    </Dialog>
  );
}
