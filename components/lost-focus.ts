"use client";

import { type RefObject, useLayoutEffect } from "react";

const FIELD = ":is(input, select, textarea):not(:disabled)";

/** Where the focus of a dialog starts. */
const FIRST_IN_DIALOG = `[data-focused-first], .dialog-body ${FIELD}`;

/** What takes the focus when an element inside leaves with it: a dialog, a section, or the content of the page. */
const CONTENT = "dialog, section[tabindex], main";

/** Focuses the element of a dialog where its focus starts. */
export function focusFirst(dialog: HTMLDialogElement, options?: FocusOptions): void {
  dialog.querySelector<HTMLElement>(FIRST_IN_DIALOG)?.focus(options);
}

/** Hands the focus to the content when an element leaves the page with it, as the button of a row and a message with buttons do. */
export function useFocusHandedOn(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const shown = element.current;
    return () => {
      if (shown?.contains(document.activeElement)) handFocusOn(shown);
    };
  }, [element]);
}

/** Focuses the content around an element that is about to leave the document, when nothing has the focus after it. */
export function handFocusOn(leaving: Element): void {
  const around = leaving.parentElement?.closest<HTMLElement>(CONTENT);
  queueMicrotask(() => focusContentIfLost(around));
}

/**
 * Hands the focus on when the button that has it is disabled: to a button beside it, as from "Next" on the last page, or to the
 * field of its form, as from "Save" when all is saved. The browser would leave the focus nowhere.
 */
export function useFocusHandedOver(button: RefObject<HTMLButtonElement | null>, isDisabled: boolean): void {
  useLayoutEffect(() => {
    const shown = button.current;
    if (!isDisabled || shown === null || document.activeElement !== shown) return;
    shown.blur();
    const beside = shown.parentElement?.querySelector<HTMLElement>("button:enabled");
    (beside ?? shown.form?.querySelector<HTMLElement>(FIELD))?.focus();
    focusContentIfLost();
  }, [button, isDisabled]);
}

/**
 * Focuses the content when nothing has the focus. The browser leaves the focus nowhere when its element leaves the document, and
 * screen readers would go on at the top of the page.
 */
function focusContentIfLost(around?: HTMLElement | null): void {
  if (document.activeElement !== document.body) return;
  // Behind an open dialog, nothing can have the focus.
  const dialog = [...document.querySelectorAll<HTMLDialogElement>("dialog[open]")].at(-1);
  if (dialog) focusFirst(dialog, { preventScroll: true });
  if (document.activeElement !== document.body) return;
  const page = around?.isConnected ? around : document.querySelector("main");
  const content = dialog ? dialog.querySelector<HTMLElement>("button:enabled") : page;
  content?.focus({ preventScroll: true });
}
