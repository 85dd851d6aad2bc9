"use client";

import { useTranslations } from "use-intl/react";
import { SHOWN_NAMES } from "@/app/_limits/draft";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import type { GroupWithLimits } from "@/server/groups/schema";

/** The limits that all keys of a group share. A limit that differs between the keys reads "differs". */
export function SharedLimits({ group }: { group: GroupWithLimits }) {
  const t = useTranslations("groups.limits");
  const texts = useLimitTexts();
  if (group.apikey_count === 0) return <span className="text-ink-soft">{t("noKeys")}</span>;
  const named = SHOWN_NAMES.filter((name) => group.shared_limits[name] || group.differing_limits.includes(name));
  if (named.length === 0) return t("unlimited");
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-0.5">
      {named.map((name) => (
        <li key={name} className="whitespace-nowrap">
          <span className="text-ink-soft">{texts.label(name)}</span>{" "}
          <span className="tabular-nums">
            {group.differing_limits.includes(name) ? t("differs") : texts.value(name, group.shared_limits[name])}
          </span>
        </li>
      ))}
    </ul>
  );
}
