"use client";

import { useEffect } from "react";

/** Asks before the tab is closed, reloaded, or sent to another document. */
export function useUnloadGuard(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isOn]);
}
