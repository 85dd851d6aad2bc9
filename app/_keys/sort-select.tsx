"use client";

import { useTranslations } from "use-intl/react";
import { FilterSelect } from "@/components/select-field";
import type { Sorting } from "@/components/sorting";
import { DEFAULT_SORT, KEY_SORTS, type KeySort } from "@/server/keys/schema";

const DEFAULT = `${DEFAULT_SORT}_desc` as const;
const ORDERS = KEY_SORTS.flatMap((sort) => [`${sort}_desc`, `${sort}_asc`] as const);

/** Says in words how the keys are ordered, and offers every order: those too of columns that do not show. */
export function SortSelect({ sort, order, onSort }: Sorting<KeySort>) {
  const t = useTranslations("keys");
  const chosen = `${sort}_${order}` as const;
  const optionOf = (name: string) => (name === DEFAULT ? "" : name);
  return (
    <FilterSelect
      label={t("sortBy")}
      isQuiet
      value={optionOf(chosen)}
      onChange={(value) => {
        const name = value === "" ? DEFAULT : value;
        const by = KEY_SORTS.find((each) => name === `${each}_desc` || name === `${each}_asc`);
        if (by) onSort(by, name.endsWith("_asc") ? "asc" : "desc");
      }}
      options={ORDERS.map((name) => ({ value: optionOf(name), label: t(`orders.${name}`) }))}
    />
  );
}
