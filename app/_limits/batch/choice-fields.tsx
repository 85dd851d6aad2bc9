"use client";

import { useId } from "react";
import { useTranslations } from "use-intl/react";
import { Checkbox } from "@/components/checkbox";
import { BOX, FieldError, fieldIds } from "@/components/field";
import type { LimitName } from "@/server/limits/schema";
import { type LimitFault, SHOWN_NAMES } from "../draft";
import { useLimitTexts } from "../limit-texts";
import type { LimitChoice } from "./choice";

/** The six limits, each with its own checkbox. */
export function ChoiceFields({
  choice,
  onChange,
  faults,
}: {
  choice: LimitChoice;
  onChange(choice: LimitChoice): void;
  faults: Partial<Record<LimitName, LimitFault>>;
}) {
  const texts = useLimitTexts();
  return (
    <div className="divide-y divide-line border-y border-line">
      {SHOWN_NAMES.map((name) => (
        <LimitRow
          key={name}
          name={name}
          isTicked={choice.ticked.has(name)}
          text={choice.draft[name]}
          error={texts.fault(faults[name])}
          onTick={(isTicked) => {
            const ticked = new Set(choice.ticked);
            if (isTicked) ticked.add(name);
            else ticked.delete(name);
            onChange({ ...choice, ticked });
          }}
          onType={(text) => onChange({ ...choice, draft: { ...choice.draft, [name]: text } })}
        />
      ))}
    </div>
  );
}

function LimitRow(props: {
  name: LimitName;
  isTicked: boolean;
  /** The typed text; `null` means "Unlimited". */
  text: string | null;
  error: string | undefined;
  onTick(isTicked: boolean): void;
  onType(text: string | null): void;
}) {
  const { name, isTicked, text, error, onTick, onType } = props;
  const t = useTranslations("batchLimits");
  const texts = useLimitTexts();
  const id = useId();
  const label = texts.label(name);
  const isDate = name === "expiry_date";
  return (
    <fieldset className="grid gap-2 py-2.5">
      <legend className="sr-only">{label}</legend>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Checkbox label={label} isLabelShown state={isTicked} onChange={onTick} />
        {isTicked ? (
          <div className="flex w-full items-center justify-end gap-4 sm:w-auto">
            {!isDate && (
              <Checkbox
                label={t("unlimited")}
                isLabelShown
                state={text === null}
                onChange={(isUnlimited) => onType(isUnlimited ? null : "")}
              />
            )}
            {text !== null && (
              <span className="relative min-w-0 flex-1 sm:w-52 sm:flex-none">
                <input
                  {...fieldIds(id, { hint: isDate, error })}
                  aria-label={isDate ? label : `${label} (${texts.unit(name)})`}
                  {...(isDate
                    ? { type: "date", min: "1000-01-01", max: "9999-12-31" }
                    : { inputMode: "decimal" as const, autoComplete: "off" })}
                  value={text}
                  // After a limit is checked, the next step is to type it.
                  ref={focusWhenNew}
                  onChange={(event) => onType(event.target.value)}
                  className={`${BOX} tabular-nums ${isDate ? "" : "pr-28"}`}
                />
                {!isDate && (
                  <span
                    aria-hidden="true"
                    className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-[13px] text-ink-soft"
                  >
                    {texts.unit(name)}
                  </span>
                )}
              </span>
            )}
          </div>
        ) : (
          <span className="text-sm text-ink-soft">{t("unchanged")}</span>
        )}
      </div>
      {isTicked && isDate && (
        <p id={`${id}-hint`} className="text-[13px] text-ink-soft sm:justify-self-end">
          {t("expiryHint")}
        </p>
      )}
      <div className="has-[p:empty]:hidden sm:justify-self-end">
        <FieldError id={id} error={error} />
      </div>
    </fieldset>
  );
}

function focusWhenNew(input: HTMLInputElement | null): void {
  if (input?.value === "") input.focus();
}
