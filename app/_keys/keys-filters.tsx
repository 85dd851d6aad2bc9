"use client";

import type { SetValues } from "nuqs";
import { useTranslations } from "use-intl/react";
import { DownloadLink } from "@/app/_csv/download-link";
import { SavedFilters } from "@/app/_saved-filters/saved-filters";
import { Button } from "@/components/button";
import { Menu } from "@/components/menu";
import { SearchField } from "@/components/search-field";
import { FilterSelect } from "@/components/select-field";
import { KEY_LOOKS, KEY_STATUSES } from "@/server/keys/schema";
import { COLUMNS, type useColumns } from "./columns";
import { GroupFilter } from "./group-filter";
import { exportInput, isFiltered, type KeysSearch, type keysSearch, listInput } from "./keys-search";
import { SortSelect } from "./sort-select";

/** Above the table of keys: search, filters, order, export, and which columns show. */
export function KeysFilters({
  search,
  setSearch,
  groupId,
  columns,
  onClear,
}: {
  search: KeysSearch;
  setSearch: SetValues<typeof keysSearch>;
  /** Fixes the group. */
  groupId: string | undefined;
  columns: ReturnType<typeof useColumns>;
  onClear(): void;
}) {
  const t = useTranslations("keys");
  const narrow = (change: Partial<KeysSearch>) => setSearch({ ...change, page: null });
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-2">
      <SearchField
        label={t("search")}
        value={search.q}
        // Typing adds no entries to the history of the browser.
        onChange={(q) => setSearch({ q, page: null }, { history: "replace" })}
      />
      {groupId === undefined && (
        <GroupFilter
          label={t("groupFilter")}
          value={search.group}
          fixed={[
            { value: "", label: t("anyGroup") },
            { value: "none", label: t("noGroup") },
          ]}
          onChange={(group) => narrow({ group })}
        />
      )}
      <FilterSelect
        label={t("statusFilter")}
        value={search.status ?? ""}
        onChange={(value) => narrow({ status: KEY_STATUSES.find((status) => status === value) ?? null })}
        options={[
          { value: "", label: t("anyStatus") },
          ...KEY_STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) })),
        ]}
      />
      <FilterSelect
        label={t("lookFilter")}
        value={search.look ?? ""}
        onChange={(value) => narrow({ look: KEY_LOOKS.find((look) => look === value) ?? null })}
        options={[
          { value: "", label: t("anyLook") },
          ...KEY_LOOKS.map((look) => ({ value: look, label: t(`look.${look}`) })),
        ]}
      />
      {isFiltered(search, groupId) && (
        <Button variant="ghost" size="small" icon="x" onPress={onClear}>
          {t("clearFilters")}
        </Button>
      )}
      {/* On a phone the order has a line of its own, and the three links fit on the next one. */}
      <span className="ml-auto flex min-w-0 items-center gap-2 whitespace-nowrap max-sm:w-full max-sm:flex-wrap max-sm:[&>:first-child]:basis-full">
        <SortSelect
          sort={search.sort}
          order={search.order}
          onSort={(sort, order) => setSearch({ sort, order, page: null })}
        />
        {groupId === undefined && <SavedFilters list="keys" query={listInput(search)} />}
        <DownloadLink href={`/keys/export?${new URLSearchParams(exportInput(search, groupId))}`}>
          {t("export")}
        </DownloadLink>
        <ColumnChooser {...columns} />
      </span>
    </div>
  );
}

function ColumnChooser({ shown, toggle }: ReturnType<typeof useColumns>) {
  const t = useTranslations("keys");
  return (
    <Menu
      label={t("chooseColumns")}
      className="inline-flex h-8 cursor-pointer items-center rounded-lg px-2.5 text-[0.8125rem] text-ink-soft hover:bg-panel hover:text-ink aria-expanded:bg-panel pointer-coarse:h-10"
      sections={[
        {
          items: COLUMNS.map((column) => ({
            label: t(`columns.${column}`),
            isTicked: shown.includes(column),
            onSelect: () => toggle(column),
          })),
        },
      ]}
    >
      {t("columnsButton")}
    </Menu>
  );
}
