"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { OnceDialog } from "@/app/_keys/once-dialog";
import { Button } from "@/components/button";
import { CopyTextButton } from "@/components/copy-field";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import { CSV_TYPE } from "@/server/csv";
import { type MadeKey, madeKeysCsv } from "./made-keys-csv";

/** Shows the values of new keys, which cannot be shown again, as a table and as a file. */
export function MadeKeys({ keys, onClose }: { keys: readonly MadeKey[]; onClose(): void }) {
  const t = useTranslations("bulkCreate.made");
  const formats = useFormats();
  const [isKept, setKept] = useState(false);
  const download = () => {
    const url = URL.createObjectURL(new Blob([madeKeysCsv(keys)], { type: CSV_TYPE }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `keys-${formats.today()}.csv`;
    link.click();
    // The browser reads the file after the click.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    setKept(true);
  };
  return (
    <OnceDialog
      title={t("title", { count: keys.length })}
      width="large"
      isCopied={isKept}
      words={{
        once: t("once"),
        onceText: t("onceText"),
        notCopied: t("notKept"),
        notCopiedText: t("notKeptText"),
      }}
      onClose={onClose}
    >
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" icon="download" isFocusedFirst onPress={download}>
          {t("download")}
        </Button>
        <CopyTextButton
          text={keys.map(({ name, apikey }) => `${name.replace(/\s+/g, " ")}\t${apikey}`).join("\n")}
          onCopied={() => setKept(true)}
        >
          {t("copyAll")}
        </CopyTextButton>
      </div>
      <Table
        label={t("table")}
        head={
          <>
            <HeadCell isNarrow align="end">
              {t("number")}
            </HeadCell>
            <HeadCell>{t("name")}</HeadCell>
            <HeadCell>{t("value")}</HeadCell>
          </>
        }
      >
        {keys.map(({ apikey, name }, i) => (
          <tr key={apikey}>
            <Cell isNarrow align="end" className="text-ink-soft">
              {i + 1}
            </Cell>
            <Cell isHead className="min-w-32 text-left [overflow-wrap:anywhere]">
              <bdi>{name}</bdi>
            </Cell>
            <Cell>
              <code className="font-mono text-xs whitespace-nowrap select-all">{apikey}</code>
            </Cell>
          </tr>
        ))}
      </Table>
    </OnceDialog>
  );
}
