"use client";

import { type ReactNode, useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { KeySnippets } from "@/app/_first-run/key-snippets";
import { Button } from "@/components/button";
import { CopyField } from "@/components/copy-field";
import { Dialog } from "@/components/dialog";
import { Notice } from "@/components/notice";

/**
 * Shows the value of a key, which cannot be shown again. Before it is copied, closing the dialog and leaving the page ask
 * for confirmation.
 * @param isDefault whether it is the account's default key, which alone may call the API.
 */
export function ShownOnce({
  title,
  value,
  isDefault = false,
  note,
  onClose,
}: {
  title: ReactNode;
  value: string;
  isDefault?: boolean;
  /** Stands above the value. */
  note?: string | undefined;
  onClose(): void;
}) {
  const t = useTranslations("shownOnce");
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (isCopied) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isCopied]);

  return (
    <Dialog
      title={title}
      width="large"
      onClose={() => (isCopied ? onClose() : setAsking(true))}
      footer={
        isAsking && !isCopied ? (
          <>
            <Button isFocusedFirst onPress={() => setAsking(false)}>
              {t("goBack")}
            </Button>
            <Button variant="danger" onPress={onClose}>
              {t("closeAnyway")}
            </Button>
          </>
        ) : (
          <Button variant={isCopied ? "primary" : "secondary"} onPress={() => (isCopied ? onClose() : setAsking(true))}>
            {t("done")}
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        {isAsking && !isCopied ? (
          <Notice tone="danger" title={t("notCopied")}>
            {t("notCopiedText")}
          </Notice>
        ) : (
          <Notice tone="warn" title={t("once")}>
            {t("onceText")}
          </Notice>
        )}
        {note && <p className="text-sm leading-relaxed text-ink-soft">{note}</p>}
        <CopyField label={t("value")} text={value} isMain onCopied={() => setCopied(true)} />
        {isDefault ? (
          <div className="grid gap-2">
            <h3 className="text-sm font-medium">{t("tryIt")}</h3>
            <CopyField label={t("command")} text={listGroups(value)} />
          </div>
        ) : (
          <KeySnippets value={value} onCopied={() => setCopied(true)} />
        )}
      </div>
    </Dialog>
  );
}

function listGroups(defaultKey: string): string {
  return `curl -sS ${window.location.origin}/v1/apikey_groups -H "Authorization: Bearer ${defaultKey}"`;
}
