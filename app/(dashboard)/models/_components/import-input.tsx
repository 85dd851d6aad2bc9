"use client";

import { type ReactNode, useId, useState } from "react";
import { useTranslations } from "use-intl/react";
import { textOfFile } from "@/app/_bulk-create/csv-keys";
import { TemplateLink } from "@/app/_csv/template-link";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { BreakableName, breakable } from "@/components/breakable-name";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { DayInput } from "@/components/day-input";
import { BOX, Field, FieldError, fieldIds } from "@/components/field";
import { FileButton } from "@/components/file-button";
import { FormDialog } from "@/components/form-dialog";
import { Icon } from "@/components/icon";
import { TextField } from "@/components/text-field";
import { currencyOf, faultsOfImport, formatOf, type ImportDraft, type ImportField, importOf } from "./import-draft";
import { YUAN } from "./price-draft";

/** The columns of CSV, of which the first three are needed. */
const COLUMNS = [
  "name",
  "input_price",
  "output_price",
  "cached_input_price",
  "aliases",
  "currency",
  "rate",
  "max_output_tokens",
  "valid_from",
];
/** The first step of an import: the file or the text, and what holds for prices that do not say it themselves. */
export function ImportInput({
  draft,
  onChange,
  fileName,
  onFile,
  onPreview,
  onClose,
}: {
  draft: ImportDraft;
  onChange(change: Partial<ImportDraft>): void;
  /** The file that the text is of. */
  fileName: string | undefined;
  onFile(name: string | undefined): void;
  onPreview(input: ReturnType<typeof importOf>): Promise<unknown>;
  onClose(): void;
}) {
  const t = useTranslations("models.import");
  const form = useTranslations("models.form");
  const words = useTranslations("models.faults");
  const [isChecked, setChecked] = useState(false);
  const faults = faultsOfImport(draft);
  const errorOf = (field: ImportField) => {
    const fault = isChecked ? faults[field] : undefined;
    return fault && words(fault);
  };
  const currency = currencyOf(draft);
  const dateId = useId();
  return (
    <FormDialog
      title={t("title")}
      width="large"
      action={t("showPreview")}
      check={() => {
        setChecked(true);
        return Object.keys(faults).length === 0;
      }}
      onSubmit={() => onPreview(importOf(draft))}
      Failure={FailureNotice}
      isLeavable
      onClose={onClose}
    >
      <div className="grid gap-2 text-sm leading-relaxed text-ink-soft">
        <p>{t.rich("litellm", { code: (name) => code(breakable(name)) })}</p>
        <p>{t.rich("csv", { columns: COLUMNS.join(", "), code })}</p>
      </div>
      <Content draft={draft} onChange={onChange} fileName={fileName} onFile={onFile} error={errorOf("content")} />
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <TextField
          label={form("currency")}
          hint={t("currencyHint")}
          value={draft.currency}
          placeholder={currency}
          onChange={(text) => onChange({ currency: text.toUpperCase() })}
          error={errorOf("currency")}
          autoComplete="off"
          maxLength={3}
        />
        {currency !== YUAN && (
          <TextField
            label={form("rate", { currency })}
            hint={form("rateHint")}
            value={draft.rate}
            onChange={(rate) => onChange({ rate })}
            error={errorOf("rate")}
            autoComplete="off"
            inputMode="decimal"
          />
        )}
        <Field id={dateId} label={form("validFrom")} hint={form("validFromHint")} error={errorOf("valid_from")}>
          <DayInput
            {...fieldIds(dateId, { hint: form("validFromHint"), error: errorOf("valid_from") })}
            value={draft.valid_from}
            onChange={(valid_from) => onChange({ valid_from })}
            className={BOX}
          />
        </Field>
      </div>
      <div className="grid gap-1">
        <span className="justify-self-start">
          <Checkbox
            label={t("replace")}
            isLabelShown
            state={draft.isReplacing}
            onChange={(isReplacing) => onChange({ isReplacing })}
          />
        </span>
        <p className="text-[0.8125rem] leading-relaxed text-ink-soft">{t("replaceHint")}</p>
      </div>
    </FormDialog>
  );
}

function code(parts: ReactNode) {
  return <code className="font-mono text-[0.8125rem] text-ink [overflow-wrap:anywhere]">{parts}</code>;
}

/** A file, or else a text. The text of a file does not show: it may have tens of thousands of lines. */
function Content({
  draft: { content },
  onChange,
  fileName,
  onFile,
  error,
}: Pick<Parameters<typeof ImportInput>[0], "draft" | "onChange" | "fileName" | "onFile"> & {
  error: string | undefined;
}) {
  const t = useTranslations("models.import");
  const errorId = useId();
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <FileButton
          accept=".json,.csv,.tsv,.txt,application/json,text/csv"
          onFile={(bytes, name) => {
            onChange({ content: textOfFile(bytes) });
            onFile(name);
          }}
        >
          {t("choose")}
        </FileButton>
        <TemplateLink columns={COLUMNS} fileName="prices-template.csv">
          {t("template")}
        </TemplateLink>
      </div>
      {fileName === undefined ? (
        <TextField
          label={t("content")}
          value={content}
          onChange={(text) => onChange({ content: text })}
          rows={8}
          placeholder={t("placeholder")}
          error={error}
          autoComplete="off"
        />
      ) : (
        <>
          <div className="flex items-center gap-3 rounded-lg border border-line bg-panel py-2 pr-2 pl-3 text-sm">
            <Icon name="check" className="size-4 text-good" />
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <bdi className="font-medium">
                <BreakableName>{fileName}</BreakableName>
              </bdi>{" "}
              <span className="text-ink-soft">{t("file", { format: formatOf(content), size: content.length })}</span>
            </span>
            <Button
              variant="ghost"
              size="small"
              icon="x"
              isIconOnly
              onPress={() => {
                onFile(undefined);
                onChange({ content: "" });
              }}
            >
              {t("removeFile")}
            </Button>
          </div>
          <FieldError id={errorId} error={error} />
        </>
      )}
    </div>
  );
}
