"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { SelectField } from "@/components/select-field";

/** The group that a key is to be in; "" is none. */
export function GroupField({ value, onChange }: { value: string; onChange(group: string): void }) {
  const t = useTranslations("keys");
  const { data } = trpc.groups.list.useQuery();
  return (
    <SelectField
      label={t("groupFilter")}
      value={value}
      onChange={onChange}
      options={[
        { value: "", label: t("noGroup") },
        ...(data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
