"use client";

import { type ComponentProps, useId, useRef } from "react";
import { useEnteredEarly } from "./entered-early";
import { BOX, Field, type FieldProps, fieldIds } from "./field";
import { Icon } from "./icon";

interface SelectProps {
  value: string;
  onChange(value: string): void;
  options: { value: string; label: string }[];
}

/** Chooses one value of a list, with its label. */
export function SelectField({ label, hint, error, ...select }: FieldProps & SelectProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <span className="relative">
        <Select {...fieldIds(id, { hint, error })} {...select} className={`${BOX} pr-9`} />
      </span>
    </Field>
  );
}

/** A select without a visible label, beside the field that it belongs to. Its parent is positioned. */
export function SelectBox({ label, ...select }: { label: string } & SelectProps) {
  return <Select aria-label={label} {...select} className={`${BOX} truncate pr-9`} />;
}

/**
 * A small select that filters a list and stands in a row with others. The value `""` filters nothing.
 * @param isQuiet no value hides anything, so none stands out.
 */
export function FilterSelect({
  label,
  isQuiet = false,
  ...select
}: { label: string; isQuiet?: boolean } & SelectProps) {
  const colour = isQuiet || select.value === "" ? "border-line text-ink" : "border-accent font-medium text-accent";
  return (
    <span className="relative inline-flex min-w-0 max-sm:flex-1 max-sm:basis-40 sm:max-w-56">
      <Select
        aria-label={label}
        {...select}
        className={`h-9 w-full min-w-0 truncate rounded-lg border bg-raised pr-9 pl-3 text-sm pointer-coarse:h-11 pointer-coarse:text-base ${colour}`}
      />
    </span>
  );
}

/** The native element with an arrow of ours, which needs a parent that is positioned. */
function Select({
  value,
  options,
  onChange,
  className,
  ...props
}: SelectProps & Omit<ComponentProps<"select">, keyof SelectProps>) {
  const box = useRef<HTMLSelectElement>(null);
  // A browser shows the first option where the value is none of them.
  const isOffered = options.some((option) => option.value === value);
  useEnteredEarly(box, "value", value, (chosen) => isOffered && onChange(chosen));
  return (
    <>
      <select
        {...props}
        ref={box}
        value={value}
        className={`appearance-none ${className}`}
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
    </>
  );
}
