"use client";

import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import type { ComboboxOption, ComboboxProps } from "@/components/combobox";
import { nameInput } from "./group-name";

/**
 * The groups for a combobox. The server looks them up by a part of their name, so an account may have any number of them.
 * @param value the id of the chosen group, or the value of a fixed option.
 * @param fixed options that stand before the groups, for example "No group".
 * @param name the name of the chosen group, where the caller knows it.
 */
export function useGroupOptions(
  value: string,
  fixed: readonly ComboboxOption[],
  name?: string | null,
): Omit<ComboboxProps, "onChoose"> & { remember(option: ComboboxOption): void } {
  const t = useTranslations("keys");
  const [text, setText] = useState<string>();
  const [known, remember] = useState<ComboboxOption | undefined>(name ? { value, label: name } : undefined);
  const found = trpc.groups.names.useQuery(text === undefined ? skipToken : { search: text }, {
    placeholderData: keepPreviousData,
  });
  const chosen = fixed.find((option) => option.value === value) ?? (known?.value === value ? known : undefined);
  const named = trpc.groups.names.useQuery((chosen === undefined && nameInput(value)) || skipToken);
  // A link may name a group that was deleted.
  const label = named.data ? (named.data.data[0]?.name ?? t("noSuchGroup")) : "";

  const asked = (text ?? "").toLowerCase();
  const groups = found.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return {
    chosen: chosen ?? { value, label },
    options: [...fixed.filter((option) => option.label.toLowerCase().includes(asked)), ...groups],
    onSearch: setText,
    isBusy: found.isPlaceholderData || found.isLoading,
    hasMore: found.data?.has_more ?? false,
    isFailed: found.isError,
    remember,
  };
}
