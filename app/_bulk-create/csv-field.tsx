"use client";

import { type ReactNode, useId } from "react";
import { useTranslations } from "use-intl/react";
import { buttonStyle } from "@/components/button-style";
import { TextField } from "@/components/text-field";
import { BYTE_ORDER_MARK, csvLine } from "@/server/csv";
import { CSV_COLUMNS, textOfFile } from "./csv-keys";

const TEMPLATE = `data:text/csv;charset=utf-8,${encodeURIComponent(BYTE_ORDER_MARK + csvLine(CSV_COLUMNS))}`;

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
  const id = useId();
  return (
    <div className="grid gap-3">
      <div className="grid gap-2 text-sm leading-relaxed text-ink-soft">
        <p>
          {t.rich("columns", {
            columns: CSV_COLUMNS.join(", "),
            code: (parts: ReactNode) => (
              <code className="font-mono text-[13px] text-ink [overflow-wrap:anywhere]">{parts}</code>
            ),
          })}
        </p>
        <p>{t("emptyCells")}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <label
          htmlFor={id}
          className={`${buttonStyle("secondary", "small")} has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent`}
        >
          {t("choose")}
          <input
            id={id}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            className="sr-only"
            onChange={async ({ target }) => {
              const [file] = target.files ?? [];
              if (file) onChange(textOfFile(await file.arrayBuffer()));
              // The same file can be chosen again after it was changed.
              target.value = "";
            }}
          />
        </label>
        <a
          href={TEMPLATE}
          download="keys-template.csv"
          className="inline-flex min-h-6 items-center text-[13px] text-accent underline underline-offset-4"
        >
          {t("template")}
        </a>
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
