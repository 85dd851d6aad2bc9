"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { useTranslations } from "use-intl/react";
import { TemplateLink } from "@/app/_csv/template-link";
import { FileButton } from "@/components/file-button";
import { TextField } from "@/components/text-field";
import { CSV_COLUMNS, textOfFile } from "./csv-keys";

/** Takes CSV from a file, or as it is pasted or typed. */
export function CsvField({
  text,
  onChange,
  error,
}: {
  text: string;
  onChange(text: string): void;
  error: string | undefined;
}) {
  const t = useTranslations("bulkCreate.csv");
  const field = useRef<HTMLDivElement>(null);
  // CSV is read after the form has looked for wrong fields.
  useEffect(() => {
    if (error !== undefined) field.current?.querySelector("textarea")?.focus();
  }, [error]);
  return (
    <div ref={field} className="grid gap-3">
      <div className="grid gap-2 text-sm leading-relaxed text-ink-soft">
        <p>
          {t.rich("columns", {
            columns: CSV_COLUMNS.join(", "),
            code: (parts: ReactNode) => (
              <code className="font-mono text-[0.8125rem] text-ink [overflow-wrap:anywhere]">{parts}</code>
            ),
          })}
        </p>
        <p>{t("emptyCells")}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <FileButton accept=".csv,.tsv,.txt,text/csv" onFile={(bytes) => onChange(textOfFile(bytes))}>
          {t("choose")}
        </FileButton>
        <TemplateLink columns={CSV_COLUMNS} fileName="keys-template.csv">
          {t("template")}
        </TemplateLink>
      </div>
      <TextField
        label={t("label")}
        value={text}
        onChange={onChange}
        rows={9}
        placeholder={t("placeholder")}
        error={error}
        autoComplete="off"
      />
    </div>
  );
}
