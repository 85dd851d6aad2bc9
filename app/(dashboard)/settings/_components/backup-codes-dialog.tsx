"use client";

import { useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { CopyField } from "@/components/copy-field";
import { Dialog } from "@/components/dialog";
import { Notice } from "@/components/notice";

/** Shows the codes that sign in when the app is lost, this once. */
export function BackupCodesDialog({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const t = useTranslations("security.secondFactor.codes");
  return (
    <Dialog
      isOpen
      width="small"
      title={t("title")}
      // Closed by the button alone: an Escape too many would lose them.
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
