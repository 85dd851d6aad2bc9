"use client";

import { type ReactNode, useId, useRef } from "react";
import { useTranslations } from "use-intl/react";
import { placeBeside } from "./placement";
import { useFormats } from "./use-formats";
import { sumExactly } from "./yuan";

const WARNS_FROM = 0.7;
const ENDANGERED_FROM = 0.9;

export interface UsageBarProps {
  /** What the bar measures, for example "Today". It is the accessible name and the heading of the details. */
  label: string;
  /** Yuan. */
  used: number;
  /** Yuan. `null` and 0 mean no limit. */
  limit: number | null;
  /** Yuan that can still be authorized; `null` without a limit. Open authorizations are already subtracted. */
  remaining: number | null;
  /** When the next window begins; `null` if there is none. */
  resetsAt: Date | number | null;
}

/** How much of a limit is spent: text above a thin bar. Hover and focus show the details. */
export function UsageBar({ label, used, limit, remaining, resetsAt }: UsageBarProps) {
  const t = useTranslations("components.usage");
  const formats = useFormats();
  const id = useId();
  const details = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLButtonElement>(null);
  const left = Math.max(remaining ?? 0, 0);
  const held = limit ? sumExactly([limit, -used, -left]) : 0;
  const share = limit ? used / limit : 0;
  const tone = share >= ENDANGERED_FROM ? "bg-danger" : share >= WARNS_FROM ? "bg-warn" : "bg-accent";

  const show = () => {
    if (!details.current || !bar.current || details.current.matches(":popover-open")) return;
    details.current.showPopover();
    placeBeside(details.current, bar.current, "start");
  };
  const hide = () => details.current?.matches(":popover-open") && details.current.hidePopover();

  return (
    <div className="min-w-28" onPointerEnter={show} onPointerLeave={hide}>
      <button
        ref={bar}
        type="button"
        aria-describedby={id}
        className="block w-full cursor-default rounded py-0.5 text-left text-[13px] tabular-nums"
        onFocus={show}
        onBlur={hide}
        onClick={show}
        onKeyDown={(event) => event.key === "Escape" && hide()}
      >
        <span className="sr-only">{label}: </span>
        <span className="flex items-baseline justify-between gap-2 whitespace-nowrap">
          <span>{formats.amount(used)}</span>
          <span className="text-xs text-ink-soft">{limit ? `/ ${formats.amount(limit)}` : t("unlimited")}</span>
        </span>
        {limit ? (
          <span aria-hidden="true" className="mt-1 block h-1 overflow-hidden rounded-full bg-line">
            <span className={`block h-full rounded-full ${tone}`} style={{ width: `${Math.min(share, 1) * 100}%` }} />
          </span>
        ) : null}
      </button>
      <div
        ref={details}
        id={id}
        popover="manual"
        role="tooltip"
        className="fixed inset-auto m-0 w-76 max-w-[calc(100vw-1rem)] rounded-xl border border-line bg-raised p-3 text-[13px] whitespace-normal text-ink shadow-floating"
      >
        <p className="mb-1.5 font-medium">{label}</p>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 tabular-nums">
          <Detail term={t("used")}>{formats.amount(used)}</Detail>
          {limit ? (
            <>
              {held > 0 && <Detail term={t("held")}>{formats.amount(held)}</Detail>}
              <Detail term={t("remaining")}>{formats.amount(left)}</Detail>
              <Detail term={t("limit")}>{formats.amount(limit)}</Detail>
            </>
          ) : (
            <Detail term={t("limit")}>{t("unlimited")}</Detail>
          )}
          {resetsAt !== null && <Detail term={t("resets")}>{formats.moment(resetsAt, { withZone: true })}</Detail>}
        </dl>
      </div>
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
