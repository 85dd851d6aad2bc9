"use client";

import { type RefObject, useEffect, useRef } from "react";

/**
 * Takes over what somebody, or a password manager, has entered into a field before the scripts of the page were there. The next
 * rendering would empty the field.
 */
export function useTypedEarly(
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  onTyped: (text: string) => void,
): void {
  const atFirst = useRef(onTyped);
  useEffect(() => {
    if (field.current && field.current.value !== field.current.defaultValue) atFirst.current(field.current.value);
  }, [field]);
}
