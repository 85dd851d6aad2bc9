"use client";

import { type ComboboxOption, FilterCombobox } from "@/components/combobox";
import { useGroupOptions } from "./group-options";

/**
 * Filters a list by a group. The page prefetches `nameInput(value)` of group-name.ts.
 * @param value the id of the group, or the value of a fixed option.
 * @param fixed the options that stand before the groups. One has the value `""`, and filters nothing.
 */
export function GroupFilter({
  label,
  value,
  fixed,
  onChange,
}: {
  label: string;
  value: string;
  fixed: readonly ComboboxOption[];
  onChange(value: string): void;
}) {
  const { remember, ...options } = useGroupOptions(value, fixed);
  return (
    <FilterCombobox
      label={label}
      {...options}
      onChoose={(option) => {
        remember(option);
        onChange(option.value);
      }}
    />
  );
}
