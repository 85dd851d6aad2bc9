"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "use-intl/react";

/** The API reference. Only the browser renders it, because its modules read `window` when they load. */
export const Reference = dynamic(() => import("./reference-view"), { ssr: false, loading: Loading });

function Loading() {
  const t = useTranslations("docs");
  return (
    <main className="p-8 text-ink-soft">
      <p>{t("loading")}</p>
    </main>
  );
}
