"use client";

import { useId, useRef } from "react";
import { useEnteredEarly } from "./entered-early";
import { BOX, Field, type FieldProps, fieldIds } from "./field";

export interface TextFieldProps extends FieldProps {
  value: string;
  onChange(value: string): void;
  /** Called when the field loses the focus. */
  onBlur?: (() => void) | undefined;
  name?: string | undefined;
  type?: "text" | "email" | "url" | undefined;
  /** More than 1 makes it a text area. */
  rows?: number | undefined;
  placeholder?: string | undefined;
  autoComplete?: string | undefined;
  inputMode?: "text" | "numeric" | "decimal" | undefined;
  maxLength?: number | undefined;
  isDisabled?: boolean | undefined;
  isRequired?: boolean | undefined;
  isFocusedFirst?: boolean | undefined;
}

/** A text field or a text area, with its label. */
export function TextField({ label, hint, error, value, onChange, rows = 1, ...props }: TextFieldProps) {
  const id = useId();
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEnteredEarly(box, "value", value, onChange);
  const { isDisabled, isRequired, isFocusedFirst, type, ...rest } = props;
  const shared = {
    ...rest,
    ref: box,
    ...fieldIds(id, { hint, error }),
    value,
    disabled: isDisabled,
    "aria-required": isRequired,
    "data-focused-first": isFocusedFirst ? "" : undefined,
    // A name may be in a language that is written from right to left.
    dir: "auto",
  };
  return (
    <Field id={id} label={label} hint={hint} error={error} isErrorReserved={props.onBlur !== undefined}>
      {rows > 1 ? (
        <textarea
          {...shared}
          rows={rows}
          className={`${BOX} py-2`}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input {...shared} type={type ?? "text"} className={BOX} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
