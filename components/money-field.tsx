"use client";

import { useId } from "react";
import { BOX, besideUnit, FieldError, fieldIds } from "./field";
import { Switch } from "./switch";

export interface MoneyFieldProps {
  label: string;
  /** Stands after the amount, for example `yuan` or `¥ / M tokens`. */
  unit: string;
  /** The typed text, unchecked; `null` while the switch is off. */
  value: string | null;
  onChange(value: string | null): void;
  onBlur?: (() => void) | undefined;
  /** Shown while the switch is off, for example "Unlimited". */
  offText: string;
  hint?: string | undefined;
  error?: string | undefined;
  isDisabled?: boolean | undefined;
}

/** A limit with its own switch. Off means no limit; on asks for an amount. */
export function MoneyField({
  label,
  unit,
  value,
  onChange,
  onBlur,
  offText,
  hint,
  error,
  isDisabled,
}: MoneyFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-2 py-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Switch
          label={label}
          isOn={value !== null}
          onChange={(isOn) => onChange(isOn ? "" : null)}
          isDisabled={isDisabled ?? false}
        />
        {value === null ? (
          <span className="text-sm text-ink-soft">{offText}</span>
        ) : (
          <span className="relative w-full sm:w-64">
            <input
              {...fieldIds(id, { hint, error })}
              aria-label={`${label} (${unit})`}
              inputMode="decimal"
              autoComplete="off"
              value={value}
              disabled={isDisabled}
              // After the switch is turned on, the next step is to type the amount.
              ref={focusWhenEmpty}
              onChange={(event) => onChange(event.target.value)}
              onBlur={onBlur}
              className={`${BOX} tabular-nums`}
              style={besideUnit(unit)}
            />
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-[0.8125rem] text-ink-soft"
            >
              {unit}
            </span>
          </span>
        )}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-ink-soft">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} isReserved={value !== null && onBlur !== undefined} />
    </div>
  );
}

function focusWhenEmpty(input: HTMLInputElement | null): void {
  if (input?.value === "") input.focus();
}
