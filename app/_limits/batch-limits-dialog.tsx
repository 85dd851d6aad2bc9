"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import type { FailedKey } from "@/server/keys/schema";
import { faultsOfChoice, NO_CHOICE, patchOfChoice } from "./batch/choice";
import { ChoiceFields } from "./batch/choice-fields";
import { Outcome } from "./batch/outcome";
import { type Preview, PreviewOfChanges } from "./batch/preview";
import type { BatchTarget } from "./batch/target";
import { useSetLimits } from "./batch/use-set-limits";

export interface BatchLimitsDialogProps {
  target: BatchTarget;
  isOpen: boolean;
  /** Closed before anything was changed. */
  onClose(): void;
  /** Closed after limits were set. */
  onDone(): void;
}

/** Sets limits of many keys: chooses what changes, shows what would happen, does it, and counts what came of it. */
export function BatchLimitsDialog({ isOpen, ...props }: BatchLimitsDialogProps) {
  return isOpen ? <OpenBatchLimitsDialog {...props} /> : null;
}

type Step =
  | { name: "choice" }
  | { name: "preview"; preview: Preview; failing: FailedKey[] }
  | { name: "outcome"; updatedCount: number; failed: FailedKey[] };

function OpenBatchLimitsDialog({ target, onClose, onDone }: Omit<BatchLimitsDialogProps, "isOpen">) {
  const t = useTranslations("batchLimits");
  const [step, setStep] = useState<Step>({ name: "choice" });
  const [choice, setChoice] = useState(NO_CHOICE);
  const [isChecked, setChecked] = useState(false);
  const [error, setError] = useState<unknown>();
  const working = useRef(false);
  const setLimits = useSetLimits(target);
  const faults = faultsOfChoice(choice);
  const patch = patchOfChoice(choice);

  /** Goes to the step that the work leads to; where the work fails, stays and says why. */
  const goBy = async (work: () => Promise<Step>) => {
    // The state of React is too late for the second click of a double one.
    if (working.current) return;
    working.current = true;
    setError(undefined);
    try {
      setStep(await work());
    } catch (failure) {
      setError(failure);
    } finally {
      working.current = false;
    }
  };
  const showPreview = async () => {
    setChecked(true);
    if (choice.ticked.size === 0 || Object.keys(faults).length > 0) return;
    await goBy(async () => {
      const { preview, failed } = await setLimits.preview(patch);
      return preview ? { name: "preview", preview, failing: failed } : step;
    });
  };
  const run = () => goBy(async () => ({ name: "outcome", ...(await setLimits.run(patch)) }));
  const retry = ({ updatedCount, failed }: Extract<Step, { name: "outcome" }>) =>
    goBy(async () => {
      const ids = failed.map(({ apikey_id }) => apikey_id);
      const again = await setLimits.runOn(ids, patch);
      return { name: "outcome", updatedCount: updatedCount + again.updatedCount, failed: again.failed };
    });
  const goBack = () => {
    setError(undefined);
    setStep({ name: "choice" });
  };
  const close = () => {
    // What is under way cannot be taken back, and its outcome has to be seen.
    if (working.current && step.name !== "choice") return;
    if (step.name === "outcome") onDone();
    else onClose();
  };

  const bdi = (text: ReactNode) => <bdi>{text}</bdi>;
  const title =
    target.kind === "group"
      ? t.rich("titleOfGroup", { name: target.name, bdi })
      : t("titleOfKeys", { count: target.apikeyIds.length });
  const failure = <FailureNotice error={error} />;

  switch (step.name) {
    case "choice":
      return (
        <Dialog
          isOpen
          title={title}
          onClose={close}
          onSubmit={showPreview}
          width="large"
          footer={
            <>
              <Button onPress={close}>{t("cancel")}</Button>
              <Button variant="primary" type="submit" isPending={setLimits.isPending}>
                {t("showPreview")}
              </Button>
            </>
          }
        >
          <div className="grid gap-4">
            <StepHeading isFocused={isChecked}>{t("introduction")}</StepHeading>
            <ChoiceFields choice={choice} onChange={setChoice} faults={isChecked ? faults : {}} />
            <p aria-live="polite" className="text-[13px] text-danger empty:hidden">
              {isChecked && choice.ticked.size === 0 && t("nothingTicked")}
            </p>
            {failure}
          </div>
        </Dialog>
      );
    case "preview":
      return (
        <Dialog
          isOpen
          title={title}
          onClose={close}
          width="large"
          footer={
            <>
              <Button onPress={goBack} isDisabled={setLimits.isPending}>
                {t("back")}
              </Button>
              <Button
                variant={step.preview.blocked_count > 0 ? "danger" : "primary"}
                onPress={run}
                isDisabled={step.preview.key_count === 0}
              >
                {t("run", { count: step.preview.key_count })}
              </Button>
            </>
          }
        >
          <div className="grid gap-4">
            <StepHeading isFocused>{t("preview.summary", { count: step.preview.key_count })}</StepHeading>
            <PreviewOfChanges preview={step.preview} failed={step.failing} />
            {failure}
          </div>
        </Dialog>
      );
    case "outcome":
      return (
        <Dialog
          isOpen
          title={title}
          onClose={close}
          width="large"
          footer={
            <Button variant="primary" onPress={close} isDisabled={setLimits.isPending}>
              {t("close")}
            </Button>
          }
        >
          <div className="grid gap-4">
            {/* Another one when fewer are left: the button that led here may be gone with the last. */}
            <StepHeading key={step.failed.length} isFocused>
              {step.failed.length === 0 ? t("outcome.done") : t("outcome.partlyDone")}
            </StepHeading>
            <Outcome updatedCount={step.updatedCount} failed={step.failed} onRetry={() => retry(step)} />
            {failure}
          </div>
        </Dialog>
      );
  }
}

/** Says what a step is about. It takes the focus when its step comes, since the button that led to it is gone. */
function StepHeading({ isFocused, children }: { isFocused: boolean; children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFocusedAtFirst = useRef(isFocused);
  useEffect(() => {
    if (isFocusedAtFirst.current) heading.current?.focus();
  }, []);
  return (
    <h3 ref={heading} tabIndex={-1} className="text-sm font-medium outline-none">
      {children}
    </h3>
  );
}
