"use client";

import { useId, useState } from "react";
import { useTranslations } from "use-intl/react";
import { addDays } from "./day";
import { DayInput } from "./day-input";
import { BOX, CHIP, FieldError, fieldIds } from "./field";

const PRESET_DAYS = [7, 30, 90] as const;

export interface DateFieldProps {
  label: string;
  /** `YYYY-MM-DD`, `""` while no date is chosen yet, `null` for never. */
  value: string | null;
  onChange(value: string | null): void;
  onBlur?: (() => void) | undefined;
  /** Today, `YYYY-MM-DD`, in the time zone of the account. */
  today: string;
  hint?: string | undefined;
  error?: string | undefined;
  isDisabled?: boolean | undefined;
}

/** Chooses the last day of something: never, a number of days from today, or a date. */
export function DateField({ label, value, onChange, onBlur, today, hint, error, isDisabled }: DateFieldProps) {
  const t = useTranslations("components.date");
  const id = useId();
  const presets = [
    { date: null, label: t("never") },
    ...PRESET_DAYS.map((days) => ({ date: addDays(today, days), label: t("days", { days }) })),
  ];
  // A date that is typed may be that of a button for a moment, and its field must stay under the hands of the reader.
  const [isTyped, setTyped] = useState(false);
  const isOther = value !== null && (isTyped || !presets.some(({ date }) => date === value));
  const choose = (date: string | null, isTyped: boolean) => {
    setTyped(isTyped);
    onChange(date);
  };
  return (
    <fieldset className="grid gap-2" disabled={isDisabled}>
      <legend className="mb-2 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {presets.map((preset) => (
          <label key={preset.label} className={CHIP}>
            <input
              type="radio"
              name={id}
              className="sr-only"
              checked={!isOther && preset.date === value}
              onChange={() => choose(preset.date, false)}
            />
            {preset.label}
          </label>
        ))}
        <label className={CHIP}>
          <input type="radio" name={id} className="sr-only" checked={isOther} onChange={() => choose("", true)} />
          {t("other")}
        </label>
      </div>
      {isOther && (
        <DayInput
          {...fieldIds(id, { hint, error })}
          aria-label={t("day", { label })}
          value={value ?? ""}
          onChange={(day) => choose(day, true)}
          onBlur={onBlur}
          className={`${BOX} sm:w-52`}
        />
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-ink-soft">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} isReserved={isOther && onBlur !== undefined} />
    </fieldset>
  );
}
