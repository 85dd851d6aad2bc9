"use client";

import { type ComponentProps, useRef } from "react";
import { useEnteredEarly } from "./entered-early";

/** What makes an input one for days. A year has four digits, also while it is typed. */
export const DAY = { type: "date", min: "1000-01-01", max: "9999-12-31" } as const;

/** The browser's field for a day, `YYYY-MM-DD`, or `""` while none is chosen. It needs a label. */
export function DayInput({
  value,
  onChange,
  ...props
}: Omit<ComponentProps<"input">, "ref" | "value" | "onChange" | keyof typeof DAY> & {
  value: string;
  onChange(day: string): void;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEnteredEarly(box, "value", value, onChange);
  return <input {...props} {...DAY} ref={box} value={value} onChange={(event) => onChange(event.target.value)} />;
}
