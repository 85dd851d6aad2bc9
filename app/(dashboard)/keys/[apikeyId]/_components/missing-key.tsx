"use client";

import { useParams } from "next/navigation";
import { useTranslations } from "use-intl/react";
import { MissingPage } from "@/app/(dashboard)/_components/missing-page";

/** Says which key was asked for and is not there, and what to do. */
export function MissingKey() {
  const t = useTranslations("keys");
  const { apikeyId } = useParams<{ apikeyId: string }>();
  const id = decodeURIComponent(apikeyId);
  return (
    <MissingPage
      title={t("missing.title")}
      back={{ href: "/keys", label: t("title") }}
      id={id}
      describe={(shown) => t.rich("missing.text", { id: () => shown })}
      next={t("missing.next")}
      advice={t("missing.advice")}
      links={[
        { href: `/keys?q=${encodeURIComponent(id)}`, label: t("missing.search") },
        { href: `/keys?status=revoked&q=${encodeURIComponent(id)}`, label: t("missing.revoked") },
      ]}
    />
  );
}
