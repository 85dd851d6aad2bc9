"use client";

import { useId } from "react";
import { useTranslations } from "use-intl/react";
import { Checkbox } from "@/components/checkbox";
import { DAY } from "@/components/day-input";
import { BOX, besideUnit, FieldError, fieldIds } from "@/components/field";
import { SelectBox } from "@/components/select-field";
import type { LimitName } from "@/server/limits/schema";
import { SHOWN_NAMES } from "../draft";
import { useLimitTexts } from "../limit-texts";
import { type ChoiceFault, type LimitChoice, WAYS, type Way } from "./choice";

/** The six limits, each with its own checkbox. */
export function ChoiceFields({
  choice,
  onChange,
  faults,
}: {
  choice: LimitChoice;
  onChange(choice: LimitChoice): void;
  faults: Partial<Record<LimitName, ChoiceFault>>;
}) {
  const t = useTranslations("batchLimits");
  const texts = useLimitTexts();
  const faultText = (fault: ChoiceFault | undefined) =>
    fault === "notPercent" || fault === "notFactor" || fault === "notPositive"
      ? t(`faults.${fault}`)
      : texts.fault(fault);
  return (
    <div className="divide-y divide-line border-y border-line">
      {SHOWN_NAMES.map((name) => (
        <LimitRow
          key={name}
          name={name}
          isTicked={choice.ticked.has(name)}
          way={choice.ways[name]}
          text={choice.draft[name]}
          error={faultText(faults[name])}
          onTick={(isTicked) => {
            const ticked = new Set(choice.ticked);
            if (isTicked) ticked.add(name);
            else ticked.delete(name);
            onChange({ ...choice, ticked });
          }}
          onChooseWay={(way) =>
            onChange({
              ...choice,
              ways: { ...choice.ways, [name]: way },
              // "Unlimited" is no number that a limit could change by.
              draft: { ...choice.draft, [name]: choice.draft[name] === null ? "" : choice.draft[name] },
            })
          }
          onType={(text) => onChange({ ...choice, draft: { ...choice.draft, [name]: text } })}
        />
      ))}
    </div>
  );
}

function LimitRow(props: {
  name: LimitName;
  isTicked: boolean;
  way: Way;
  /** The typed text; `null` means "Unlimited". */
  text: string | null;
  error: string | undefined;
  onTick(isTicked: boolean): void;
  onChooseWay(way: Way): void;
  onType(text: string | null): void;
}) {
  const { name, isTicked, way, text, error, onTick, onChooseWay, onType } = props;
  const t = useTranslations("batchLimits");
  const texts = useLimitTexts();
  const id = useId();
  const label = texts.label(name);
  const isDate = name === "expiry_date";
  const unit =
    way === "raise" || way === "lower" ? t("units.percent") : way === "multiply" ? t("units.times") : texts.unit(name);
  return (
    <fieldset className="grid gap-2 py-2.5">
      <legend className="sr-only">{label}</legend>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Checkbox label={label} isLabelShown state={isTicked} onChange={onTick} />
        {isTicked ? (
          <div className="flex w-full flex-wrap items-center justify-end gap-x-4 gap-y-2 sm:w-auto">
            {!isDate && way === "set" && (
              <Checkbox
                label={t("unlimited")}
                isLabelShown
                state={text === null}
                onChange={(isUnlimited) => onType(isUnlimited ? null : "")}
              />
            )}
            {!isDate && (
              <span className="relative min-w-0 flex-1 basis-36 sm:w-40 sm:flex-none">
                <SelectBox
                  label={t("wayOf", { limit: label })}
                  value={way}
                  onChange={(value) => onChooseWay(WAYS.find((each) => each === value) ?? "set")}
                  options={WAYS.map((each) => ({ value: each, label: t(`ways.${each}`) }))}
                />
              </span>
            )}
            {text !== null && (
              <span className="relative min-w-0 flex-1 basis-40 sm:w-58 sm:flex-none">
                <input
                  {...fieldIds(id, { hint: isDate, error })}
                  aria-label={isDate ? label : `${label} (${unit})`}
                  {...(isDate ? DAY : { inputMode: "decimal" as const, autoComplete: "off" })}
                  value={text}
                  // After a limit is checked, the next step is to type it.
                  ref={focusWhenNew}
                  onChange={(event) => onType(event.target.value)}
                  className={`${BOX} tabular-nums`}
                  {...(!isDate && { style: besideUnit(unit) })}
                />
                {!isDate && (
                  <span
                    aria-hidden="true"
                    className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-[0.8125rem] text-ink-soft"
                  >
                    {unit}
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
        <p id={`${id}-hint`} className="text-[0.8125rem] text-ink-soft sm:justify-self-end">
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
