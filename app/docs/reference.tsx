"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "use-intl/react";

/** The reference, fetched and rendered in the browser alone: it reads the window while it sets up. */
export const Reference = dynamic(() => import("./reference-view"), { ssr: false, loading: Loading });

function Loading() {
  const t = useTranslations("docs");
  return (
    <main className="p-8 text-ink-soft">
      <p>{t("loading")}</p>
    </main>
  );
}
