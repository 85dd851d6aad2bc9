"use client";

import Link from "next/link";
import { useParams } from "next/navigation";
import { useTranslations } from "use-intl/react";
import { buttonStyle } from "@/components/button-style";
import { PageHeading } from "@/components/page-heading";
import { Section } from "@/components/section";

/** Says that the group is not there, where its keys may be, and what to do. */
export function MissingGroup() {
  const t = useTranslations("groups");
  const { groupId } = useParams<{ groupId: string }>();
  const id = decodeURIComponent(groupId);
  return (
    <>
      <PageHeading
        title={t("missing.title")}
        back={{ href: "/groups", label: t("title") }}
        description={t.rich("missing.text", {
          id: () => <code className="font-mono text-ink [overflow-wrap:anywhere]">{id}</code>,
        })}
      />
      <Section title={t("missing.next")}>
        <p className="mb-4 max-w-2xl text-sm leading-relaxed text-ink-soft">{t("missing.advice")}</p>
        <div className="flex flex-wrap gap-2">
          <Link href="/groups" prefetch={false} className={buttonStyle("primary", "medium")}>
            {t("missing.all")}
          </Link>
          <Link
            href={`/history?${new URLSearchParams({ group: id })}`}
            prefetch={false}
            className={buttonStyle("secondary", "medium")}
          >
            {t("missing.history")}
          </Link>
        </div>
      </Section>
    </>
  );
}
