"use client";

import type { ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { Button } from "./button";
import { Dialog } from "./dialog";

/** Asks before something is lost. The title names the thing; the focus starts on Cancel. */
export function ConfirmDialog({
  isOpen,
  title,
  children,
  action,
  onConfirm,
  onCancel,
  isPending = false,
  isDanger = true,
}: {
  isOpen: boolean;
  title: ReactNode;
  /** What will happen, and the notice of what went wrong. */
  children: ReactNode;
  /** The words of the button, for example "Revoke key". */
  action: string;
  onConfirm(): unknown;
  onCancel(): void;
  isPending?: boolean;
  isDanger?: boolean;
}) {
  const t = useTranslations("components.dialog");
  return (
    <Dialog
      isOpen={isOpen}
      title={title}
      role="alertdialog"
      width="small"
      description={<div className="grid gap-3">{children}</div>}
      // What is under way cannot be taken back by closing the question.
      onClose={() => !isPending && onCancel()}
      footer={
        <>
          <Button isFocusedFirst onPress={onCancel} isDisabled={isPending}>
            {t("cancel")}
          </Button>
          <Button variant={isDanger ? "danger" : "primary"} onPress={onConfirm} isPending={isPending}>
            {action}
          </Button>
        </>
      }
    />
  );
}
