"use client";

import { type ReactNode, useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { Dialog, type DialogProps } from "@/components/dialog";
import { Notice } from "@/components/notice";

/**
 * A dialog with something that cannot be shown again. Before it is copied, closing the dialog and leaving the page ask for
 * confirmation.
 */
export function OnceDialog({
  title,
  width,
  isCopied,
  words,
  onClose,
  children,
}: {
  title: ReactNode;
  width: DialogProps["width"];
  isCopied: boolean;
  /** What is shown once, and what is lost when it was not copied. */
  words: { once: string; onceText: string; notCopied: string; notCopiedText: string };
  onClose(): void;
  children: ReactNode;
}) {
  const t = useTranslations("shownOnce");
  const [wantsToClose, setWantsToClose] = useState(false);
  const isAsking = wantsToClose && !isCopied;
  useEffect(() => {
    if (isCopied) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isCopied]);
  const close = () => (isCopied ? onClose() : setWantsToClose(true));
  return (
    <Dialog
      title={title}
      width={width}
      onClose={close}
      footer={
        isAsking ? (
          <>
            <Button isFocusedFirst onPress={() => setWantsToClose(false)}>
              {t("goBack")}
            </Button>
            <Button variant="danger" onPress={onClose}>
              {t("closeAnyway")}
            </Button>
          </>
        ) : (
          <Button variant={isCopied ? "primary" : "secondary"} onPress={close}>
            {t("done")}
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        {isAsking ? (
          <Notice tone="danger" title={words.notCopied}>
            {words.notCopiedText}
          </Notice>
        ) : (
          <Notice tone="warn" title={words.once}>
            {words.onceText}
          </Notice>
        )}
        {children}
      </div>
    </Dialog>
  );
}
