"use client";

import type { CSSProperties, ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { useTooltip } from "./tooltip";
import { usageTone } from "./usage-tone";
import { useFormats } from "./use-formats";

export interface UsageBarProps {
  /** What the bar measures, for example "Today". It is the accessible name and the heading of the details. */
  label: string;
  /** Yuan. */
  used: number;
  /** Yuan. `null` and 0 mean no limit. */
  limit: number | null;
  /** Yuan of open authorizations. */
  held: number;
  /** Yuan that can still be authorized, without what is held; `null` without a limit. It may be negative. */
  left: number | null;
  /** When the next window begins; `null` if there is none. */
  resetsAt: Date | number | null;
  /** How amounts are written beside others; by default each with as many decimals as it needs. */
  amounts?: AmountTexts | undefined;
}

/** Writes amounts. In a column of a table all of them have equally many decimals. */
export interface AmountTexts {
  used(yuan: number): string;
  limit(yuan: number): string;
}

/** How much of a limit is spent: text above a thin bar. Hover and focus show the details. */
export function UsageBar({ label, used, limit, held, left, resetsAt, amounts }: UsageBarProps) {
  const t = useTranslations("components.usage");
  const formats = useFormats();
  const texts = amounts ?? { used: formats.amount, limit: formats.amount };
  const share = limit ? used / limit : 0;
  const bound = limit ? `/ ${texts.limit(limit)}` : t("unlimited");
  const tooltip = useTooltip(() => (
    <UsageDetails label={label} used={used} limit={limit} held={held} left={left} resetsAt={resetsAt} />
  ));
  return (
    <button
      {...tooltip}
      type="button"
      aria-label={t("name", { label, used: texts.used(used), bound })}
      className="usage-bar"
    >
      {`${texts.used(used)} `}
      <small>{bound}</small>
      {limit ? (
        <i data-tone={usageTone(share)} style={{ "--share": `${Math.min(share, 1) * 100}%` } as CSSProperties} />
      ) : null}
    </button>
  );
}

function UsageDetails({ label, used, limit, held, left, resetsAt }: Omit<UsageBarProps, "amounts">) {
  const t = useTranslations("components.usage");
  const formats = useFormats();
  return (
    <div className="w-70 max-w-full">
      <p className="mb-1.5 font-medium">{label}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 tabular-nums">
        <Detail term={t("used")}>{formats.amount(used)}</Detail>
        {limit ? (
          <>
            {held > 0 && <Detail term={t("held")}>{formats.amount(held)}</Detail>}
            <Detail term={t("remaining")}>{formats.amount(Math.max(left ?? 0, 0))}</Detail>
            <Detail term={t("limit")}>{formats.amount(limit)}</Detail>
          </>
        ) : (
          <Detail term={t("limit")}>{t("unlimited")}</Detail>
        )}
        {resetsAt !== null && <Detail term={t("resets")}>{formats.moment(resetsAt, { withZone: true })}</Detail>}
      </dl>
    </div>
  );
}

function Detail({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{term}</dt>
      <dd className="text-right">{children}</dd>
    </>
  );
}
