"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import type { KeysTarget } from "@/app/_batch/target";
import { BatchLimitsDialog } from "@/app/_limits/batch-limits-dialog";
import { Button } from "@/components/button";
import { BatchDialog } from "./batch-dialog";
import { FilterBatchDialog } from "./filter-batch-dialog";
import type { Selected } from "./selected";

const ACTIONS = ["limits", "enable", "disable", "move", "revoke"] as const;

/** All keys that match the filter of the table. */
export type Matching = Extract<KeysTarget, { kind: "filter" }> & {
  /** False: there are more than `count`. */
  isExact: boolean;
  /** Whether any key is hidden by the filter. */
  isFiltered: boolean;
};

/** Actions on all selected keys, or on all that match the filter. Keys stay selected from page to page. */
export function SelectionBar({
  selected,
  matching,
  pageCount,
  isAll,
  onSelectAll,
  onClear,
}: {
  selected: Selected;
  /** Offered, or selected; undefined when not all keys of the page are selected, or when there are no more. */
  matching: Matching | undefined;
  /** How many keys of the page can be selected. */
  pageCount: number;
  /** All keys that match are selected. */
  isAll: boolean;
  onSelectAll(): void;
  onClear(): void;
}) {
  const t = useTranslations("keys.selection");
  const [action, setAction] = useState<(typeof ACTIONS)[number]>();
  const ids = [...selected.keys()];
  const target: KeysTarget = isAll && matching ? matching : { kind: "keys", apikeyIds: ids };
  const dialog = { onClose: () => setAction(undefined), onDone: onClear };
  const all = matching && { count: matching.count, isFiltered: String(matching.isFiltered) };
  return (
    <section
      aria-label={t("name")}
      className="selection-bar grid gap-1 rounded-lg border border-accent bg-raised px-3 py-px max-sm:py-2"
    >
      <div className="flex min-h-9 flex-wrap items-center gap-2">
        <p role="status" className="mr-2 text-sm font-medium tabular-nums">
          {isAll && all ? t(matching.isExact ? "all" : "allOfMore", all) : t("count", { count: selected.size })}
        </p>
        {ACTIONS.map((each) => (
          <Button key={each} size="small" onPress={() => setAction(each)}>
            {t(each)}
          </Button>
        ))}
        <Button variant="ghost" size="small" icon="x" onPress={onClear} className="ml-auto">
          {t("clear")}
        </Button>
      </div>
      {all && !isAll && (
        <p className="flex flex-wrap items-center gap-x-3 pb-1.5 text-sm text-ink-soft">
          {t("pageSelected", { count: pageCount })}
          <button
            type="button"
            onClick={onSelectAll}
            className="min-h-6 cursor-pointer font-medium text-accent underline underline-offset-4"
          >
            {t(matching.isExact ? "selectAll" : "selectAllOfMore", all)}
          </button>
        </p>
      )}
      {action === "limits" && <BatchLimitsDialog target={target} {...dialog} />}
      {action !== undefined &&
        action !== "limits" &&
        (target.kind === "filter" ? (
          <FilterBatchDialog action={action} target={target} {...dialog} />
        ) : (
          <BatchDialog action={action} selected={selected} {...dialog} />
        ))}
    </section>
  );
}
