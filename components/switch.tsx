"use client";

import { useRef } from "react";
import { useEnteredEarly } from "./entered-early";

/** Turns something on or off, with its label. */
export function Switch({
  label,
  isOn,
  onChange,
  isDisabled = false,
}: {
  label: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
  isDisabled?: boolean;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEnteredEarly(box, "checked", isOn, onChange);
  return (
    <label className="inline-flex min-h-6 cursor-pointer items-center gap-3 text-sm font-medium select-none has-disabled:cursor-not-allowed has-disabled:opacity-50 pointer-coarse:min-h-11">
      <input
        ref={box}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox tells by itself whether it is checked
        role="switch"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
        className="relative h-5 w-10 shrink-0 cursor-[inherit] appearance-none rounded-full bg-line-strong transition-colors before:absolute before:inset-y-0.5 before:left-0.5 before:w-5.5 before:rounded-full before:bg-white before:shadow-sm before:transition-[left] checked:bg-accent checked:before:left-4 motion-reduce:transition-none motion-reduce:before:transition-none forced-colors:appearance-auto forced-colors:before:hidden"
      />
      {label}
    </label>
  );
}
