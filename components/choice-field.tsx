"use client";

import { useId, useRef } from "react";
import { useEnteredEarly } from "./entered-early";
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
        <ChoiceChip
          key={choice.value}
          name={id}
          {...choice}
          isChosen={choice.value === value}
          onChoose={() => onChange(choice.value)}
        />
      ))}
    </fieldset>
  );
}

function ChoiceChip({
  name,
  label,
  lang,
  isChosen,
  onChoose,
}: Choice<string> & { name: string; isChosen: boolean; onChoose(): void }) {
  const box = useRef<HTMLInputElement>(null);
  // The one that was chosen tells it.
  useEnteredEarly(box, "checked", isChosen, (isChosenNow) => isChosenNow && onChoose());
  return (
    <label lang={lang} className={CHIP}>
      <input ref={box} type="radio" name={name} className="sr-only" checked={isChosen} onChange={onChoose} />
      {label}
    </label>
  );
}
