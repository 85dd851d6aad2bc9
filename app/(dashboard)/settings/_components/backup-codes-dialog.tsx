"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { OnceDialog } from "@/app/_keys/once-dialog";
import { CopyField } from "@/components/copy-field";

/** Shows the backup codes once. They sign in when the app is lost. */
export function BackupCodesDialog({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const t = useTranslations("security.secondFactor.codes");
  const [isCopied, setCopied] = useState(false);
  return (
    <OnceDialog
      title={t("title")}
      width="small"
      isCopied={isCopied}
      words={{ once: t("once"), onceText: t("text"), notCopied: t("notCopied"), notCopiedText: t("notCopiedText") }}
      kept={t("done")}
      onClose={onClose}
    >
      <CopyField label={t("title")} text={codes.join("\n")} isMain onCopied={() => setCopied(true)} />
    </OnceDialog>
  );
}
