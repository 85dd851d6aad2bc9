"use client";

import { useTranslations } from "use-intl/react";
import { Checkbox } from "@/components/checkbox";
import { type Sorting, sortingBy } from "@/components/sorting";
import { HeadCell } from "@/components/table";
import type { Key, KeySort } from "@/server/keys/schema";
import { type Column, isAmount, SORT_OF } from "./columns";
import { isSelectable, type Selected } from "./selected";

/** The head of the table of keys. Its checkbox selects all keys of the page. */
export function KeysHead({
  keys,
  selected,
  onSelect,
  shown,
  ...sorting
}: {
  /** The keys of this page. */
  keys: Key[];
  selected: Selected;
  onSelect(keys: Key[], isSelected: boolean): void;
  shown: Column[];
} & Sorting<KeySort>) {
  const t = useTranslations("keys");
  const selectable = keys.filter(isSelectable);
  const count = selectable.filter(({ apikey_id }) => selected.has(apikey_id)).length;
  const sortable = (by: KeySort | undefined) => by && sortingBy(by, sorting, by === "name" ? "asc" : "desc");
  return (
    <>
      <HeadCell isNarrow card="tick">
        <Checkbox
          label={t("selectPage")}
          state={count === 0 ? false : count === selectable.length ? true : "some"}
          isDisabled={selectable.length === 0}
          onChange={(isSelected) => onSelect(selectable, isSelected)}
        />
      </HeadCell>
      <HeadCell card="name" {...sortable("name")}>
        {t("columns.name")}
      </HeadCell>
      {shown.includes("group") && <HeadCell>{t("columns.group")}</HeadCell>}
      <HeadCell>{t("columns.status")}</HeadCell>
      {shown
        .filter((column) => column !== "group")
        .map((column) => (
          <HeadCell key={column} align={isAmount(column) ? "end" : "start"} {...sortable(SORT_OF[column])}>
            {t(`columns.${column}`)}
          </HeadCell>
        ))}
      <HeadCell isNarrow isKept>
        <span className="sr-only">{t("columns.menu")}</span>
      </HeadCell>
    </>
  );
}
