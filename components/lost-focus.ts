"use client";

import { type RefObject, useLayoutEffect } from "react";

/** Hands the focus to the content when the element leaves the page with it, as the button of a row does with its row. */
export function useFocusHandedOn(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const shown = element.current;
    return () => {
      if (document.activeElement === shown) queueMicrotask(focusContentIfLost);
    };
  }, [element]);
}

/**
 * Focuses the open dialog, or the content of the page, when nothing has the focus. The browser leaves the focus nowhere when its
 * element leaves the document, and screen readers would go on at the top of the page.
 */
export function focusContentIfLost(): void {
  if (document.activeElement !== document.body) return;
  // Behind an open dialog, nothing can have the focus.
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  const content = dialog ? dialog.querySelector("button") : document.querySelector("main");
  content?.focus({ preventScroll: true });
}
