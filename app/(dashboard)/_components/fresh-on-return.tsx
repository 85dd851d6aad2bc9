"use client";

import { useEffect } from "react";

/**
 * Loads the page anew when the browser takes it out of its memory on Back or Forward, where it shows what it showed when
 * the owner left. The owner may have signed out since. `no-store` keeps most browsers from doing so, but not all.
 */
export function FreshOnReturn() {
  useEffect(() => {
    const reload = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      document.body.hidden = true;
      window.location.reload();
    };
    window.addEventListener("pageshow", reload);
    return () => window.removeEventListener("pageshow", reload);
  }, []);
  return null;
}
