"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { SpendChart } from "@/app/_spend/spend-chart";
import { tabulate } from "@/app/_spend/spend-table";
import { BreakableAmount } from "@/components/breakable-amount";
import { addDays } from "@/components/day";
import { Section } from "@/components/section";
import { useFormats } from "@/components/use-formats";
import { CHART_DAYS, type Overview } from "@/server/overview/schema";
import { SectionLink } from "./section-link";

/** What was spent today and this month, each beside what it is compared with, and the last days as a chart. */
export function SpendSummary({ spend, today }: { spend: Overview["spend"]; today: string }) {
  const t = useTranslations("overview.spend");
  const formats = useFormats();
  const table = tabulate([{ id: null, name: null, is_rest: false, total: 0, days: spend.days }], {
    from: addDays(today, 1 - CHART_DAYS),
    to: today,
  });
  const { this_month, last_month_same_days: before, projected } = spend;
  const change = before.spent > 0 ? this_month.spent / before.spent - 1 : undefined;
  return (
    <Section title={t("title")} actions={<SectionLink href="/usage">{t("all")}</SectionLink>}>
      <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <dl className="grid content-between gap-x-8 gap-y-5 sm:grid-cols-3 lg:grid-cols-[minmax(0,1fr)] lg:pb-6">
          <Figure
            term={t("today")}
            note={t.rich("yesterday", { amount: () => <SpentLink period={spend.yesterday} /> })}
          >
            <SpentLink period={spend.today} isFigure />
          </Figure>
          <Figure
            term={t("thisMonth")}
            note={t.rich(before.from === before.to ? "sameDay" : "sameDays", {
              amount: () => <SpentLink period={before} />,
              from: formats.shortDate(before.from),
              to: formats.shortDate(before.to),
            })}
          >
            <SpentLink period={this_month} isFigure />
            {change !== undefined && (
              <span className="ml-2.5 text-sm font-normal text-ink-soft">{formats.change(change)}</span>
            )}
          </Figure>
          <Figure
            term={t("projected", { end: formats.shortDate(projected.day) })}
            note={
              projected.spent === null
                ? t("tooEarly")
                : t.rich("lastMonth", { amount: () => <SpentLink period={spend.last_month} /> })
            }
          >
            {projected.spent === null ? (
              <span className="text-ink-soft">–</span>
            ) : (
              <>
                <span aria-hidden="true" className="mr-1 font-normal text-ink-soft">
                  ≈
                </span>
                {/* No list of spend has this sum, so it leads to none. */}
                <BreakableAmount>{formats.roundAmount(projected.spent)}</BreakableAmount>
              </>
            )}
          </Figure>
        </dl>
        <div className="min-w-0 lg:pt-1">
          {table.total > 0 ? (
            <SpendChart label={t("perDay", { days: CHART_DAYS })} table={table} nameOf={() => ""} />
          ) : (
            <p className="rounded-lg border border-dashed border-line px-5 py-10 text-center text-sm leading-relaxed text-pretty text-ink-soft">
              {t("none", { days: CHART_DAYS })}
            </p>
          )}
        </div>
      </div>
    </Section>
  );
}

function Figure({ term, note, children }: { term: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[0.8125rem] text-ink-soft">{term}</dt>
      <dd>
        <p className="mt-0.5 text-2xl font-semibold tracking-tight tabular-nums">{children}</p>
        <p className="mt-1 text-[0.8125rem] leading-snug text-pretty text-ink-soft tabular-nums">{note}</p>
      </dd>
    </div>
  );
}

/** An amount that leads to the usage of its days. A figure stands alone; the others stand in a sentence. */
function SpentLink({
  period: { from, to, spent },
  isFigure = false,
}: {
  period: Overview["spend"]["today"];
  isFigure?: boolean;
}) {
  const formats = useFormats();
  const style = isFigure
    ? "hover:underline"
    : "text-ink underline decoration-line-strong hover:decoration-current whitespace-nowrap";
  return (
    <Link
      href={`/usage?${new URLSearchParams({ range: "own", from, to })}`}
      prefetch={false}
      title={formats.exactAmount(spent)}
      className={`rounded underline-offset-4 ${style}`}
    >
      <BreakableAmount>{formats.roundAmount(spent)}</BreakableAmount>
    </Link>
  );
}
