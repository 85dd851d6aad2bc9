"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { useLate } from "@/components/button";
import { PAGE_AWAITED } from "@/components/page-asked";

/** A line under the head of the page while another page is on its way, whatever led there: a link, a menu or the palette. */
export function PageWait() {
  const t = useTranslations("shell");
  const isShown = useLate(usePageAwaited());
  return (
    <div aria-live="polite" className="absolute inset-x-0 -bottom-0.5">
      {isShown && (
        <>
          <span className="sr-only">{t("pageWait")}</span>
          {/* Where the device replaces the colours of pages, a border still has one. */}
          <span aria-hidden="true" className="block border-t-3 border-accent motion-safe:animate-pulse" />
        </>
      )}
    </div>
  );
}

function usePageAwaited(): boolean {
  const path = usePathname();
  const query = useSearchParams().toString();
  const [isAwaited, setAwaited] = useState(false);
  useEffect(() => {
    const hear = (event: Event) => {
      const { detail } = event as CustomEvent<boolean>;
      // The router asks within the transition to the new page. A state that is set there would wait for that page.
      queueMicrotask(() => setAwaited(detail));
    };
    window.addEventListener(PAGE_AWAITED, hear);
    return () => window.removeEventListener(PAGE_AWAITED, hear);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is there when the address has changed
  useEffect(() => setAwaited(false), [path, query]);
  return isAwaited;
}
