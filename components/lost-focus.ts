"use client";

import { type RefObject, useLayoutEffect } from "react";

/** Hands the focus to the content when an element leaves the page with it, as the button of a row and a message with buttons do. */
export function useFocusHandedOn(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const shown = element.current;
    return () => {
      if (shown?.contains(document.activeElement)) queueMicrotask(focusContentIfLost);
    };
  }, [element]);
}

/**
 * Hands the focus to a button beside it when the button that has it is disabled, as "Next" is on the last page. The browser would
 * leave the focus nowhere.
 */
export function useFocusHandedOver(button: RefObject<HTMLButtonElement | null>, isDisabled: boolean): void {
  useLayoutEffect(() => {
    const shown = button.current;
    if (!isDisabled || shown === null || document.activeElement !== shown) return;
    shown.blur();
    shown.parentElement?.querySelector<HTMLElement>("button:enabled")?.focus();
    focusContentIfLost();
  }, [button, isDisabled]);
}

/**
 * Focuses the open dialog, or the content of the page, when nothing has the focus. The browser leaves the focus nowhere when its
 * element leaves the document, and screen readers would go on at the top of the page.
 */
export function focusContentIfLost(): void {
  if (document.activeElement !== document.body) return;
  // Behind an open dialog, nothing can have the focus.
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  const content = dialog ? dialog.querySelector<HTMLElement>("button:enabled") : document.querySelector("main");
  content?.focus({ preventScroll: true });
}
