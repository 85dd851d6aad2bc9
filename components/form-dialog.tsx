"use client";

import type { ComponentType, ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { Button } from "./button";
import { Dialog, type DialogProps } from "./dialog";
import { Notice } from "./notice";
import { useAttempt } from "./use-attempt";
import { useAwaitedOnce } from "./use-awaited-once";

/** For something that somebody else may change while the dialog is open. */
export interface Conflict {
  /** Whether the error says that somebody did. */
  isConflict(error: unknown): boolean;
  /** Reads the present state into the dialog. */
  reload(): Promise<unknown>;
}

/** What the fields of a dialog may ask of its last submission. */
interface Submission {
  isPending: boolean;
  /** Why it failed, which the dialog shows. */
  error: unknown;
  /** Takes the error away. */
  forget(): void;
}

export interface FormDialogProps extends Pick<DialogProps, "title" | "description" | "width" | "onClose"> {
  /** The fields alone. */
  children?: ReactNode | ((submission: Submission) => ReactNode);
  /** Label of the submit button, for example "Create key". */
  action: string;
  /** There is nothing to submit yet. */
  isDisabled?: boolean | undefined;
  /** Marks work that stops or destroys something. */
  isDanger?: boolean | undefined;
  /** Makes it a question: an alert dialog without a close button. Without fields, the focus starts on Cancel. */
  isQuestion?: boolean | undefined;
  /** The answer is shown once, so the page is not left before it is there. */
  isAnsweredOnce?: boolean | undefined;
  /** The work changes nothing, so the dialog can be closed while it is under way. */
  isLeavable?: boolean | undefined;
  /** Shows the fault of each field, and returns whether all fields are right. If not, nothing is submitted. */
  check?: (() => boolean) | undefined;
  /** Does the work, then closes or replaces the dialog. When it rejects, the dialog stays and shows the failure. */
  onSubmit(): Promise<unknown>;
  /** Says why the work failed. Components know no server, so the caller explains its own errors. */
  Failure: ComponentType<{ error: unknown }>;
  conflict?: Conflict | undefined;
}

/**
 * A dialog with Cancel and one submit button. Submitting works once, even on a double click. While the work is under way
 * the dialog cannot be closed, unless the work changes nothing.
 */
export function FormDialog({
  action,
  isDisabled = false,
  isDanger = false,
  isQuestion = false,
  isAnsweredOnce = false,
  isLeavable = false,
  check,
  onSubmit,
  Failure,
  conflict,
  onClose,
  children,
  ...dialog
}: FormDialogProps) {
  const t = useTranslations("components.dialog");
  const { attempt, error, isPending, forget } = useAttempt(onSubmit);
  useAwaitedOnce(isAnsweredOnce && isPending);
  const isClosable = isLeavable || !isPending;
  const fields = typeof children === "function" ? children({ isPending, error, forget }) : children;
  const notice =
    error !== undefined &&
    (conflict?.isConflict(error) ? (
      <ConflictNotice
        onReload={async () => {
          await conflict.reload();
          forget();
        }}
        Failure={Failure}
      />
    ) : (
      <Failure error={error} />
    ));
  return (
    <Dialog
      {...dialog}
      {...(isQuestion && { role: "alertdialog" as const })}
      onClose={onClose}
      isClosable={isClosable}
      onSubmit={() => !isDisabled && (check?.() ?? true) && attempt()}
      footer={
        <>
          <Button onPress={onClose} isDisabled={!isClosable} isFocusedFirst={isQuestion}>
            {t("cancel")}
          </Button>
          <Button variant={isDanger ? "danger" : "primary"} type="submit" isPending={isPending} isDisabled={isDisabled}>
            {action}
          </Button>
        </>
      }
    >
      {(fields || notice) && (
        <div className="grid gap-4">
          {notice}
          {fields}
        </div>
      )}
    </Dialog>
  );
}

function ConflictNotice({ onReload, Failure }: { onReload(): Promise<void> } & Pick<FormDialogProps, "Failure">) {
  const t = useTranslations("components.dialog.conflict");
  const { attempt, error } = useAttempt(onReload);
  return (
    <>
      <Notice
        tone="danger"
        title={t("title")}
        action={
          <Button size="small" onPress={attempt}>
            {t("reload")}
          </Button>
        }
      >
        {t("text")}
      </Notice>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}
