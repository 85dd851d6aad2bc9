"use client";

import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl/react";
import { KeySnippets } from "@/app/_first-run/key-snippets";
import { CopyField } from "@/components/copy-field";
import { OnceDialog } from "./once-dialog";

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
  return (
    <OnceDialog
      title={title}
      width="large"
      isCopied={isCopied}
      words={{ once: t("once"), onceText: t("onceText"), notCopied: t("notCopied"), notCopiedText: t("notCopiedText") }}
      onClose={onClose}
    >
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
    </OnceDialog>
  );
}

function listGroups(defaultKey: string): string {
  return `curl -sS ${window.location.origin}/v1/apikey_groups -H "Authorization: Bearer ${defaultKey}"`;
}
