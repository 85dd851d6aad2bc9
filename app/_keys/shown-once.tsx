"use client";

import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl/react";
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
      <div className="grid gap-2">
        <h3 className="text-sm font-medium">{isDefault ? t("tryIt") : t("readIt")}</h3>
        <CopyField label={t("command")} text={commandFor(value, isDefault)} />
      </div>
    </OnceDialog>
  );
}

function commandFor(value: string, isDefault: boolean): string {
  const { origin } = window.location;
  return isDefault
    ? `curl -sS ${origin}/v1/apikey_groups -H "Authorization: Bearer ${value}"`
    : `curl -sS ${origin}/v1/apikeys/${value.slice(0, 10)} -H "Authorization: Bearer $DEFAULT_KEY"`;
}
