"use client";

import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { Dialog, type DialogProps } from "@/components/dialog";
import { Notice } from "@/components/notice";
import { useBackGuard } from "@/components/use-back-guard";
import { useUnloadGuard } from "@/components/use-unload-guard";

/**
 * A dialog with something that cannot be shown again. Before it is copied, closing the dialog, reloading, and the browser's
 * Back ask for confirmation.
 */
export function OnceDialog({
  title,
  width,
  isCopied,
  words,
  kept,
  onClose,
  children,
}: {
  title: ReactNode;
  width: DialogProps["width"];
  isCopied: boolean;
  /** What is shown once, and what is lost when it was not copied. */
  words: { once: string; onceText: string; notCopied: string; notCopiedText: string };
  /** What the button says where it is itself the confirmation, for example "I have kept them". */
  kept?: string;
  onClose(): void;
  children: ReactNode;
}) {
  const t = useTranslations("shownOnce");
  const [asked, setAsked] = useState<"close" | "back">();
  const [isLeaving, setLeaving] = useState(false);
  const isAsking = asked !== undefined && !isCopied;
  const { release, leave } = useBackGuard(!isCopied, () => setAsked("back"));
  useUnloadGuard(!isCopied && !isLeaving);

  // The guard's entry leaves the history first: what `onClose` does may be a navigation.
  const close = async () => {
    setLeaving(true);
    await (asked === "back" && !isCopied ? leave(onClose) : release().then(onClose));
  };
  return (
    <Dialog
      title={title}
      width={width}
      onClose={() => (isCopied ? close() : setAsked("close"))}
      footer={
        isAsking ? (
          <>
            <Button isFocusedFirst onPress={() => setAsked(undefined)}>
              {t("stay")}
            </Button>
            <Button variant="danger" onPress={close}>
              {asked === "back" ? t("leaveAnyway") : t("closeAnyway")}
            </Button>
          </>
        ) : (
          <Button
            variant={isCopied ? "primary" : "secondary"}
            onPress={() => (isCopied || kept !== undefined ? close() : setAsked("close"))}
          >
            {kept ?? t("done")}
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
