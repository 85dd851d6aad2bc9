"use client";

import { useEffect, useRef } from "react";
import { TextField, type TextFieldProps } from "@/components/text-field";
import { AuthError } from "./call";

/** A code that is wrong now will not be right later. */
const WRONG = ["INVALID_CODE", "INVALID_BACKUP_CODE"];

/**
 * The field for a code of a second factor.
 * @param refusal the error of the last attempt. After a wrong code, what is typed next takes its place.
 */
export function CodeField({ refusal, ...props }: TextFieldProps & { refusal: unknown }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!(refusal instanceof AuthError && WRONG.includes(refusal.code))) return;
    const box = place.current?.querySelector("input");
    box?.focus();
    box?.select();
  }, [refusal]);
  return (
    <div ref={place}>
      <TextField {...props} autoComplete="one-time-code" isRequired />
    </div>
  );
}
