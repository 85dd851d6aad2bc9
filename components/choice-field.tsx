"use client";

import { useId } from "react";
import { CHIP } from "./field";

export interface Choice<Value extends string> {
  value: Value;
  label: string;
  /** Language of the label, if it differs from the language of the page. */
  lang?: string;
}

/** Chooses one of a few values. All of them are visible. */
export function ChoiceField<Value extends string>({
  label,
  value,
  onChange,
  choices,
}: {
  /** Accessible name. */
  label: string;
  value: Value;
  onChange(value: Value): void;
  choices: readonly Choice<Value>[];
}) {
  const id = useId();
  return (
    <fieldset aria-label={label} className="flex flex-wrap gap-2">
      {choices.map((choice) => (
        <label key={choice.value} lang={choice.lang} className={CHIP}>
          <input
            type="radio"
            name={id}
            className="sr-only"
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
