"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { nameFault } from "./name-fault";

/** A name that is being typed. Its fault shows after the field was left with text in it, or after `check`. */
export function useName(initial: string) {
  const t = useTranslations("names");
  const [value, setValue] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const fault = nameFault(value);
  return {
    value,
    /** The sentence to show at the field. */
    error: isChecked && fault ? t(fault) : undefined,
    change: setValue,
    leave: () => value !== "" && setChecked(true),
    /** Shows the fault, and returns whether there is none. */
    check: () => {
      setChecked(true);
      return fault === undefined;
    },
    /** Starts again with another name. */
    reset: (name: string) => {
      setValue(name);
      setChecked(false);
    },
  };
}

export type TypedName = ReturnType<typeof useName>;
