"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { SelectField } from "@/components/select-field";

/** Chooses the group of a key by its id. `null` means no group. */
export function GroupField({ value, onChange }: { value: string | null; onChange(groupId: string | null): void }) {
  const t = useTranslations("keys");
  const { data } = trpc.groups.list.useQuery();
  return (
    <SelectField
      label={t("groupFilter")}
      value={value ?? ""}
      onChange={(chosen) => onChange(chosen === "" ? null : chosen)}
      options={[
        { value: "", label: t("noGroup") },
        ...(data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
