"use client";

import { useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { CopyField } from "@/components/copy-field";
import { Dialog } from "@/components/dialog";
import { Notice } from "@/components/notice";

/** Shows the backup codes once. They sign in when the app is lost. */
export function BackupCodesDialog({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const t = useTranslations("security.secondFactor.codes");
  return (
    <Dialog
      width="small"
      title={t("title")}
      // Only the button closes it: one Escape too many would lose the codes.
      onClose={() => {}}
      footer={
        <Button variant="primary" onPress={onClose}>
          {t("done")}
        </Button>
      }
    >
      <div className="grid gap-4">
        <Notice tone="warn" title={t("once")}>
          {t("text")}
        </Notice>
        <CopyField label={t("title")} text={codes.join("\n")} isMain />
      </div>
    </Dialog>
  );
}
