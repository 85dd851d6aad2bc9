"use client";

import Link from "next/link";
import { useParams } from "next/navigation";
import { useTranslations } from "use-intl/react";
import { buttonStyle } from "@/components/button-style";
import { PageHeading } from "@/components/page-heading";
import { Section } from "@/components/section";

/** Says which key was asked for and is not there, and what to do. */
export function MissingKey() {
  const t = useTranslations("keys");
  const { apikeyId } = useParams<{ apikeyId: string }>();
  const id = decodeURIComponent(apikeyId);
  return (
    <>
      <PageHeading
        title={t("missing.title")}
        back={{ href: "/keys", label: t("title") }}
        description={t.rich("missing.text", { id: () => <code className="font-mono text-ink">{id}</code> })}
      />
      <Section title={t("missing.next")}>
        <p className="mb-4 max-w-2xl text-sm leading-relaxed text-ink-soft">{t("missing.advice")}</p>
        <div className="flex flex-wrap gap-2">
          <Link
            href={`/keys?q=${encodeURIComponent(id)}`}
            prefetch={false}
            className={buttonStyle("primary", "medium")}
          >
            {t("missing.search")}
          </Link>
          <Link
            href={`/keys?status=revoked&q=${encodeURIComponent(id)}`}
            prefetch={false}
            className={buttonStyle("secondary", "medium")}
          >
            {t("missing.revoked")}
          </Link>
        </div>
      </Section>
    </>
  );
}
