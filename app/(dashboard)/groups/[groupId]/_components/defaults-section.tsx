"use client";

import Link from "next/link";
import { useTranslations } from "use-intl/react";
import { SHOWN_NAMES } from "@/app/_limits/draft";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import { BreakableAmount } from "@/components/breakable-amount";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { Section } from "@/components/section";
import type { GroupWithLimits } from "@/server/groups/schema";

/** The limits that new keys of a group start with, and how many of its keys differ from them. */
export function DefaultsSection({
  group,
  onEdit,
  onSetOnAll,
}: {
  group: GroupWithLimits;
  onEdit(): void;
  /** Sets the defaults on the keys that are there. */
  onSetOnAll(): void;
}) {
  const t = useTranslations("groupDefaults");
  const texts = useLimitTexts();
  const { defaults, apply_defaults, differing_key_count } = group;
  const named = SHOWN_NAMES.filter((name) => defaults[name] !== null);
  const edit = (
    <Button size="small" icon="edit" onPress={onEdit}>
      {t(named.length === 0 ? "set" : "edit")}
    </Button>
  );
  return (
    <Section title={t("title")} actions={edit}>
      {named.length === 0 ? (
        <p className="text-sm text-ink-soft">{t("none")}</p>
      ) : (
        <div className="grid gap-4">
          <dl className="grid grid-cols-2 gap-x-8 gap-y-4 md:grid-cols-3 xl:grid-cols-6">
            {named.map((name) => (
              <div key={name} className="min-w-0">
                <dt className="text-[0.8125rem] text-ink-soft">{texts.label(name)}</dt>
                <dd className="mt-0.5 text-sm tabular-nums">
                  <BreakableAmount>{texts.value(name, defaults[name])}</BreakableAmount>
                </dd>
              </div>
            ))}
          </dl>
          <p className="text-[0.8125rem] text-ink-soft">
            {t(apply_defaults ? "appliedEverywhere" : "appliedInDashboard")}
          </p>
          {differing_key_count > 0 && (
            <Notice
              tone="info"
              action={
                <Button size="small" onPress={onSetOnAll}>
                  {t("setOnAll")}
                </Button>
              }
            >
              {t("differing", { count: differing_key_count })}{" "}
              <Link
                href={`/groups/${group.id}?look=differs_from_group`}
                scroll={false}
                prefetch={false}
                className="text-accent underline underline-offset-4"
              >
                {t("show", { count: differing_key_count })}
              </Link>
            </Notice>
          )}
        </div>
      )}
    </Section>
  );
}
