"use client";

import { useRef } from "react";
import { useEnteredEarly } from "./entered-early";

/** A checkbox. The state `some` means that it stands for several things and some of them are checked. */
export function Checkbox({
  label,
  isLabelShown = false,
  state,
  onChange,
  isDisabled,
}: {
  label: string;
  isLabelShown?: boolean;
  state: boolean | "some";
  onChange(isTicked: boolean): void;
  isDisabled?: boolean;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEnteredEarly(box, "checked", state === true, onChange);
  return (
    <label className="checkbox">
      <input
        type="checkbox"
        {...(!isLabelShown && { "aria-label": label })}
        checked={state === true}
        ref={(input) => {
          box.current = input;
          if (input) input.indeterminate = state === "some";
        }}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {isLabelShown && label}
    </label>
  );
}
