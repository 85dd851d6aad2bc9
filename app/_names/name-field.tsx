"use client";

import { TextField, type TextFieldProps } from "@/components/text-field";
import type { TypedName } from "./use-name";

/** The field for the name of a key, a group or a passkey. In a dialog the focus starts in it. */
export function NameField({
  name,
  ...props
}: { name: TypedName } & Pick<TextFieldProps, "label" | "hint" | "placeholder">) {
  return (
    <TextField
      {...props}
      value={name.value}
      onChange={name.change}
      onBlur={name.leave}
      error={name.error}
      autoComplete="off"
      isRequired
      isFocusedFirst
    />
  );
}
