"use client";

import Link from "next/link";
import { useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { Icon } from "@/components/icon";
import { SearchField } from "@/components/search-field";
import { FilterSelect } from "@/components/select-field";
import { SOURCES } from "@/server/prices/schema";
import { isNarrowed, type ModelsAddress } from "./models-address";

/** Above the table of prices: search, whose prices, and whether those that do not count today show too. */
export function ModelsFilters({
  address,
  onNarrow,
  onSearch,
  onClear,
}: {
  address: ModelsAddress;
  onNarrow(change: Partial<ModelsAddress>): void;
  onSearch(text: string): void;
  onClear(): void;
}) {
  const t = useTranslations("models.filters");
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      {/* Typing adds no entries to the history of the browser. */}
      <SearchField label={t("search")} value={address.q} onChange={onSearch} />
      <FilterSelect
        label={t("source")}
        value={address.source ?? ""}
        onChange={(value) => onNarrow({ source: SOURCES.find((source) => source === value) ?? null })}
        options={[
          { value: "", label: t("anySource") },
          { value: "account", label: t("account") },
          { value: "operator", label: t("operator") },
        ]}
      />
      <FilterSelect
        label={t("when")}
        value={address.when === "today" ? "today" : ""}
        onChange={(value) => onNarrow({ when: value === "today" ? "today" : "all" })}
        options={[
          { value: "", label: t("all") },
          { value: "today", label: t("today") },
        ]}
      />
      {isNarrowed(address) && (
        <Button variant="ghost" size="small" icon="x" onPress={onClear}>
          {t("clear")}
        </Button>
      )}
      <Link
        href="/history"
        prefetch={false}
        className="ml-auto inline-flex h-8 items-center gap-1.5 rounded-lg px-2.5 text-[0.8125rem] text-ink-soft hover:bg-panel hover:text-ink pointer-coarse:h-10"
      >
        <Icon name="history" />
        {t("history")}
      </Link>
    </div>
  );
}
