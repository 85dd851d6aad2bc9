"use client";

import Link from "next/link";
import { useTranslations } from "use-intl/react";
import { Section } from "@/components/section";
import { useFormats } from "@/components/use-formats";
import { REFUSALS } from "@/server/keys/schema";
import type { Overview } from "@/server/overview/schema";
import { SectionLink } from "./section-link";

const LIST = "/overview/refusals";

/** How often calls were refused for each reason. Each number leads to the keys. */
export function RefusalReasons({ refusals: { data, is_exact } }: { refusals: Overview["refusals"] }) {
  const t = useTranslations("overview.refusals");
  const reasons = useTranslations("keys.refusals.reasons");
  const orMore = useTranslations("overview");
  const formats = useFormats();
  const total = data.reduce((sum, { count }) => sum + count, 0);
  const greatest = Math.max(...data.map(({ count }) => count));
  const numberOf = (count: number) =>
    is_exact ? formats.count(count) : orMore("orMore", { count: formats.count(count) });
  return (
    <Section
      title={t("title")}
      actions={
        total > 0 && <SectionLink href={LIST}>{t("total", { count: total, number: numberOf(total) })}</SectionLink>
      }
    >
      {data.length === 0 ? (
        <p className="text-sm text-ink-soft">{t("none")}</p>
      ) : (
        <ul aria-label={t("title")} className="-my-1.5 text-[0.8125rem]">
          {data.map(({ code, count, keys }) => {
            const reason = REFUSALS.find((each) => each === code);
            return (
              <li key={code} className="py-1.5">
                <span className="flex items-baseline justify-between gap-4">
                  <span className="min-w-0 [overflow-wrap:anywhere]">{reason ? reasons(reason) : code}</span>
                  <span className="shrink-0 text-right whitespace-nowrap tabular-nums">
                    <Link
                      href={reason ? `${LIST}?code=${reason}` : LIST}
                      prefetch={false}
                      className="inline-flex min-h-6 min-w-6 items-center justify-end font-medium underline decoration-line-strong underline-offset-4 hover:decoration-current"
                    >
                      {numberOf(count)}
                    </Link>
                    <span className="text-ink-soft"> · {t("keys", { count: keys, number: formats.count(keys) })}</span>
                  </span>
                </span>
                <span
                  aria-hidden="true"
                  className="mt-1 block h-1 overflow-hidden rounded-full bg-panel forced-color-adjust-none"
                >
                  <span
                    className="block h-full rounded-full bg-line-strong"
                    style={{ width: `${(count / greatest) * 100}%` }}
                  />
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {!is_exact && <p className="mt-3 text-[0.8125rem] text-ink-soft">{t("partly")}</p>}
    </Section>
  );
}
