"use client";

import { useTranslations } from "use-intl/react";
import { ComboboxField } from "@/components/combobox";
import { useGroupOptions } from "./group-options";

/**
 * Chooses the group of a key by its id; `null` means no group. It finds a group among any number by a part of its name.
 * @param name the name of the group that is chosen at first, where the caller knows it.
 */
export function GroupField({
  value,
  name,
  onChange,
}: {
  value: string | null;
  name?: string | null;
  onChange(groupId: string | null): void;
}) {
  const t = useTranslations("keys");
  const { remember, ...options } = useGroupOptions(value ?? "", [{ value: "", label: t("noGroup") }], name);
  return (
    <ComboboxField
      label={t("groupFilter")}
      {...options}
      onChoose={(option) => {
        remember(option);
        onChange(option.value === "" ? null : option.value);
      }}
    />
  );
}
