"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { Menu } from "@/components/menu";
import type { FilteredList } from "@/server/saved-filters/schema";
import { addressOf, isSame, type ListQuery } from "./address";
import { ManageFiltersDialog } from "./manage-filters-dialog";
import { SaveFilterDialog } from "./save-filter-dialog";

/** A menu with the filters that are saved for a list. It also saves the present one. @param query may have a page. */
export function SavedFilters({ list, query }: { list: FilteredList; query: ListQuery }) {
  const t = useTranslations("savedFilters");
  const [task, setTask] = useState<"save" | "manage">();
  const { data, isPending, refetch } = trpc.savedFilters.list.useQuery();
  const filters = (data?.data ?? []).filter((filter) => filter[list] !== null);
  const present = withoutPage(query);
  return (
    <>
      <Menu
        label={t("title")}
        className="inline-flex h-8 cursor-pointer items-center rounded-lg px-2.5 text-[0.8125rem] text-ink-soft hover:bg-panel hover:text-ink aria-expanded:bg-panel pointer-coarse:h-10"
        sections={[
          ...(filters.length === 0
            ? []
            : [
                {
                  label: t("title"),
                  items: filters.map((filter) => ({
                    label: filter.name,
                    href: addressOf(filter),
                    isCurrent: isSame(filter[list] ?? {}, present),
                  })),
                },
              ]),
          ...(data
            ? []
            : [
                {
                  items: [
                    isPending
                      ? { label: t("reading"), isDisabled: true }
                      : { label: t("unread"), icon: "rotate" as const, onSelect: () => void refetch() },
                  ],
                },
              ]),
          {
            items: [
              { label: t("save.open"), icon: "plus", onSelect: () => setTask("save") },
              ...(filters.length === 0
                ? []
                : [{ label: t("manage.open"), icon: "settings" as const, onSelect: () => setTask("manage") }]),
            ],
          },
        ]}
      >
        {t("title")}
      </Menu>
      {task === "save" && <SaveFilterDialog list={list} query={present} onClose={() => setTask(undefined)} />}
      {task === "manage" && <ManageFiltersDialog filters={filters} onClose={() => setTask(undefined)} />}
    </>
  );
}

function withoutPage({ page: _, page_size: __, ...query }: ListQuery): ListQuery {
  return query;
}
