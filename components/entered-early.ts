"use client";

import { type RefObject, useEffect, useRef } from "react";

/**
 * Takes over what somebody, or a password manager, has entered, chosen or ticked before the scripts of the page were there. The
 * next rendering would undo it.
 * @param property of the field that has what was entered.
 * @param drawn what the first rendering gives this property.
 */
export function useEnteredEarly<Field extends HTMLElement, Property extends keyof Field>(
  field: RefObject<Field | null>,
  property: Property,
  drawn: Field[Property],
  onEntered: (entered: Field[Property]) => void,
): void {
  const atFirst = useRef({ property, drawn, onEntered });
  useEffect(() => {
    const { property, drawn, onEntered } = atFirst.current;
    const entered = field.current?.[property];
    if (entered !== undefined && entered !== drawn) onEntered(entered);
  }, [field]);
}
