"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Section } from "@/components/section";
import { useFormats } from "@/components/use-formats";
import { REFUSALS } from "@/server/keys/schema";
import { useLastDays } from "./last-days";

/** The reasons why calls with the key were refused in the last days, with their counts. */
export function RefusalsSection({ apikeyId }: { apikeyId: string }) {
  const t = useTranslations("keys.refusals");
  const formats = useFormats();
  const { data, error, refetch } = trpc.usage.refusals.useQuery({ apikey_id: apikeyId, ...useLastDays() });
  return (
    <Section title={t("title")}>
      <FailureNotice error={error} onRetry={refetch} />
      {data?.data.length === 0 && <p className="text-sm text-ink-soft">{t("none")}</p>}
      {data && data.data.length > 0 && (
        <ul aria-label={t("title")} className="max-w-xl text-sm">
          {data.data.map(({ code, count }) => {
            const reason = REFUSALS.find((each) => each === code);
            return (
              <li key={code} className="flex justify-between gap-6 border-b border-line py-2 last:border-b-0">
                {reason ? t(`reasons.${reason}`) : code}
                <span className="tabular-nums">{formats.count(count)}</span>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}
