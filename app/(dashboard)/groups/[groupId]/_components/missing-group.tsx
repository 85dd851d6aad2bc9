"use client";

import { useParams } from "next/navigation";
import { useTranslations } from "use-intl/react";
import { MissingPage } from "@/app/(dashboard)/_components/missing-page";

/** Says that the group is not there, where its keys may be, and what to do. */
export function MissingGroup() {
  const t = useTranslations("groups");
  const { groupId } = useParams<{ groupId: string }>();
  const id = decodeURIComponent(groupId);
  return (
    <MissingPage
      title={t("missing.title")}
      back={{ href: "/groups", label: t("title") }}
      id={id}
      describe={(shown) => t.rich("missing.text", { id: () => shown })}
      next={t("missing.next")}
      advice={t("missing.advice")}
      links={[
        { href: "/groups", label: t("missing.all") },
        { href: `/history?${new URLSearchParams({ group: id })}`, label: t("missing.history") },
      ]}
    />
  );
}
