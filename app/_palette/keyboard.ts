"use client";

import { useSyncExternalStore } from "react";

const PLACE = "shortcuts.singleKeys";
const OFF = "off";
const listeners = new Set<() => void>();

/** Whether shortcuts of one character are on. The browser keeps the choice. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(PLACE) !== OFF;
}

/** Turns them on or off. What shows them is drawn again. */
export function turnSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, OFF);
  for (const tell of listeners) tell();
}

/** The same, for a component that shows it. */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(listen, areSingleKeysOn, () => true);
}

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** Whether the modifier of commands is ⌘. The server does not know it. */
export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}

/** How the shortcut of the palette is written on this keyboard. */
export function usePaletteKeys(): string {
  return useSyncExternalStore(
    () => () => {},
    () => (isMac() ? "⌘ K" : "Ctrl K"),
    () => "Ctrl K",
  );
}

/** Whether keys are text where the event happened. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, [role=menu], [role=listbox]") !== null;
}
