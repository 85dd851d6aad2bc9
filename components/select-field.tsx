"use client";

import { useId } from "react";
import { BOX, Field, type FieldProps, fieldIds } from "./field";
import { Icon } from "./icon";

interface Option {
  value: string;
  label: string;
}

export interface SelectFieldProps extends FieldProps {
  value: string;
  onChange(value: string): void;
  options: Option[];
  isDisabled?: boolean;
}

/** One of a list, with its label. */
export function SelectField({ label, hint, error, value, onChange, options, isDisabled }: SelectFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <span className="relative">
        <select
          {...fieldIds(id, { hint, error })}
          value={value}
          disabled={isDisabled}
          className={`${BOX} appearance-none pr-9`}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon
          name="chevron-down"
          className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-ink-soft"
        />
      </span>
    </Field>
  );
}

/** A choice that narrows a list: small, in one row with others. `""` is no narrowing, and looks like it. */
export function FilterSelect({
  label,
  value,
  onChange,
  options,
}: Omit<SelectFieldProps, keyof FieldProps> & { label: string }) {
  return (
    <span className="relative inline-flex min-w-0 max-sm:flex-1 max-sm:basis-32 sm:max-w-56">
      <select
        aria-label={label}
        value={value}
        className={`h-9 w-full min-w-0 appearance-none truncate rounded-lg border pr-8 pl-3 text-sm pointer-coarse:h-11 ${
          value === "" ? "border-line bg-raised text-ink" : "border-accent bg-raised font-medium text-accent"
        }`}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon
        name="chevron-down"
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-ink-soft"
      />
    </span>
  );
}
