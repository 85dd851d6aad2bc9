"use client";

import { useTranslations } from "use-intl/react";
import { createHere } from "@/app/_palette/page-action";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";

/** Stands in place of the table: the account has no key, or no key matches the filters. */
export function NoKeys({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  const t = useTranslations("keys.empty");
  if (isFiltered) {
    return (
      <EmptyState
        icon="filter"
        title={t("nothingMatches")}
        action={
          <Button onPress={onClear} icon="x">
            {t("clear")}
          </Button>
        }
      >
        {t("nothingMatchesText")}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="key"
      title={t("title")}
      action={
        <Button variant="primary" icon="plus" onPress={createHere}>
          {t("create")}
        </Button>
      }
      link={{ href: "/docs", label: t("reference") }}
    >
      {t("text")}
    </EmptyState>
  );
}
