"use client";

import { useTranslations } from "use-intl/react";
import type { WindowUse } from "@/app/_keys/window-use";
import { Amount } from "@/components/amount";
import { usageTone } from "@/components/usage-tone";
import { useFormats } from "@/components/use-formats";

const TONES = { danger: "bg-danger", warn: "bg-warn" };

/** What is left of one limit, how much of it is used, and when it begins anew. */
export function LimitLeft({ window: { name, limit, spent, held, left, resetsAt } }: { window: WindowUse }) {
  const t = useTranslations("keys.state");
  const limits = useTranslations("limits");
  const formats = useFormats();
  const share = limit === null ? 0 : (spent + held) / limit;
  const tone = usageTone(share);
  return (
    <div className="min-w-0">
      <dt className="text-[0.8125rem] text-ink-soft">{limits(`names.${name}`)}</dt>
      <dd className="mt-0.5 text-[0.8125rem] tabular-nums [overflow-wrap:anywhere]">
        <p className="text-lg leading-7 font-semibold">
          {limit === null
            ? limits("unlimited")
            : t.rich("left", { amount: () => <Amount yuan={Math.max(left ?? 0, 0)} isBreakable /> })}
        </p>
        {/* Without a limit its place stays empty, so that the lines beside each other are level. */}
        <span
          aria-hidden="true"
          className={`my-1.5 block h-1.5 overflow-hidden rounded-full forced-color-adjust-none ${limit === null ? "max-sm:hidden" : "bg-track"}`}
        >
          {limit !== null && (
            <span
              className={`block h-full rounded-full ${tone ? TONES[tone] : "bg-accent"}`}
              style={{ width: `${Math.min(share, 1) * 100}%` }}
            />
          )}
        </span>
        <p className="text-ink-soft">
          {limit === null
            ? t("spent", { spent: formats.amount(spent) })
            : held > 0
              ? t("spentAndHeldOf", {
                  spent: formats.amount(spent),
                  held: formats.amount(held),
                  limit: formats.amount(limit),
                })
              : t("spentOf", { spent: formats.amount(spent), limit: formats.amount(limit) })}
        </p>
        <p className="text-ink-soft">
          {resetsAt === null ? t("resetsNever") : t("resets", { moment: formats.moment(resetsAt, { withZone: true }) })}
        </p>
      </dd>
    </div>
  );
}
