"use client";

import { useTranslations } from "use-intl/react";
import { Icon } from "@/components/icon";

/** What to do about a lost password. Nothing is sent by email, so the way leads to whoever runs the service. */
export function LostPassword({ hasPasskey, provider }: { hasPasskey: boolean; provider: string | null }) {
  const t = useTranslations("auth.lostPassword");
  return (
    <details className="group mt-4 text-sm">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1.5 rounded-md py-1 text-ink-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        <Icon
          name="chevron-right"
          className="size-3.5 transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        {t("question")}
      </summary>
      <div className="mt-2 grid grid-cols-1 gap-3 rounded-lg border border-line bg-raised p-4 leading-relaxed text-ink-soft">
        {(hasPasskey || provider !== null) && (
          <p>{t(hasPasskey ? (provider === null ? "passkey" : "both") : "provider", { name: provider ?? "" })}</p>
        )}
        <p>{t("operator")}</p>
        <pre className="rounded-md bg-panel px-3 py-2 font-mono text-xs leading-relaxed whitespace-pre-wrap text-ink">
          npm run -s account:recover -- <span className="whitespace-nowrap">--email {t("yourEmail")}</span>
        </pre>
        <p>
          {t.rich("result", {
            option: () => <code className="font-mono text-xs whitespace-nowrap text-ink">--second-factor-off</code>,
          })}
        </p>
      </div>
    </details>
  );
}
