"use client";

import { type RefObject, useEffect, useRef } from "react";

type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Takes over what somebody, or a password manager, has entered, chosen or ticked before the scripts of the page were there. The
 * next rendering would undo it.
 */
export function useEnteredEarly<Field extends FormField>(
  field: RefObject<Field | null>,
  onEntered: (field: Field) => void,
): void {
  const atFirst = useRef(onEntered);
  useEffect(() => {
    if (field.current && isEntered(field.current)) atFirst.current(field.current);
  }, [field]);
}

/** Whether a field is another than the server has drawn it. */
function isEntered(field: FormField): boolean {
  if (field instanceof HTMLSelectElement) return [...field.selectedOptions].some((option) => !option.defaultSelected);
  const isTicked = field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type);
  if (!isTicked) return field.value !== field.defaultValue;
  // Of radio buttons, the one that was chosen tells it.
  return field.checked !== field.defaultChecked && (field.checked || field.type === "checkbox");
}
