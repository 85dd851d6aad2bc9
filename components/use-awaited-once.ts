"use client";

import { useBackGuard } from "./use-back-guard";
import { useUnloadGuard } from "./use-unload-guard";

/**
 * Keeps the page while an answer is on its way that nobody can ask for again. Closing the tab asks, and the browser's Back
 * does nothing, as Escape does nothing in a dialog whose work is under way.
 */
export function useAwaitedOnce(isAwaited: boolean): void {
  useUnloadGuard(isAwaited);
  useBackGuard(isAwaited, stay);
}

function stay(): void {}
