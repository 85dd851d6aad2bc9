"use client";

import { useTranslations } from "use-intl/react";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import type { IconName } from "@/components/icon";
import { StatusChip, type Tone } from "@/components/status-chip";
import { useTooltip } from "@/components/tooltip";
import { useFormats } from "@/components/use-formats";
import type { Key, KeyStatus } from "@/server/keys/schema";

const CHIPS: Record<KeyStatus, { icon: IconName; tone: Tone }> = {
  active: { icon: "check", tone: "good" },
  disabled: { icon: "minus", tone: "neutral" },
  expired: { icon: "clock", tone: "warn" },
  exhausted: { icon: "gauge", tone: "danger" },
  revoked: { icon: "ban", tone: "danger" },
};

/** The state of a key, as a word with an icon: also which limit blocks it until when, or which limits are near. */
export function KeyStatusChip({ apikey }: { apikey: Key }) {
  const t = useTranslations("keys.status");
  if (apikey.status === "exhausted") return <Blocked apikey={apikey} />;
  if (apikey.status === "active" && apikey.near_limits.length > 0) return <NearLimit apikey={apikey} />;
  return <StatusChip {...CHIPS[apikey.status]}>{t(apikey.status)}</StatusChip>;
}

type SpendLimit = Key["blocked_by"][number];

/** Of several limits that block, the one that does so longest: the budget has no end, and a month ends after its days. */
function longest(limits: SpendLimit[]): SpendLimit | undefined {
  return (["budget", "monthly_limit", "daily_limit"] as const).find((name) => limits.includes(name));
}

function Blocked({ apikey }: { apikey: Key }) {
  const t = useTranslations("keys.blocked");
  const formats = useFormats();
  const limit = longest(apikey.blocked_by) ?? "budget";
  const resetsAt = { budget: null, monthly_limit: apikey.monthly_resets_at, daily_limit: apikey.daily_resets_at }[
    limit
  ];
  const end = resetsAt === null ? t("untilRaised") : t("until", { moment: formats.moment(resetsAt) });
  return (
    <ReachedLimits apikey={apikey} limits={apikey.blocked_by} title={t("title")}>
      <StatusChip {...CHIPS.exhausted}>{t(limit)}</StatusChip>
      <small>{end}</small>
    </ReachedLimits>
  );
}

function NearLimit({ apikey }: { apikey: Key }) {
  const t = useTranslations("keys.nearLimit");
  return (
    <ReachedLimits apikey={apikey} limits={apikey.near_limits} title={t("title")}>
      <StatusChip icon="gauge" tone="warn">
        {t("name")}
      </StatusChip>
    </ReachedLimits>
  );
}

const SPENT = { budget: "spent", daily_limit: "spent_today", monthly_limit: "spent_this_month" } as const;

/** A status whose tooltip names the limits that it is about, and how much of each is spent. */
function ReachedLimits({
  apikey,
  limits,
  title,
  children,
}: {
  apikey: Key;
  limits: SpendLimit[];
  title: string;
  children: React.ReactNode;
}) {
  const texts = useLimitTexts();
  const formats = useFormats();
  const tooltip = useTooltip(() => (
    <>
      <p className="mb-1.5 font-medium">{title}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 tabular-nums">
        {limits.map((name) => {
          const limit = apikey[name] ?? 0;
          const spent = apikey[SPENT[name]];
          return (
            <div key={name} className="contents">
              <dt className="text-ink-soft">{texts.label(name)}</dt>
              <dd className="text-right">
                {formats.amount(spent)} / {formats.amount(limit)} ({formats.share(limit > 0 ? spent / limit : 0)})
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  ));
  return (
    <button {...tooltip} type="button" className="status-button">
      {children}
    </button>
  );
}
