"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { BatchLimitsDialog } from "@/app/_limits/batch-limits-dialog";
import { Button } from "@/components/button";
import { sumExactly } from "@/components/yuan";
import { BatchDialog } from "./batch-dialog";
import type { Selected } from "./selected";

const ACTIONS = ["limits", "enable", "disable", "move", "revoke"] as const;

/** Actions on all selected keys. Keys stay selected from page to page. */
export function SelectionBar({ selected, onClear }: { selected: Selected; onClear(): void }) {
  const t = useTranslations("keys.selection");
  const [action, setAction] = useState<(typeof ACTIONS)[number]>();
  const ids = [...selected.keys()];
  return (
    <section
      aria-label={t("name")}
      className="flex min-h-9 flex-wrap items-center gap-2 rounded-lg border border-accent bg-raised px-3 py-px max-sm:py-2"
    >
      <p role="status" className="mr-2 text-sm font-medium tabular-nums">
        {t("count", { count: selected.size })}
      </p>
      {ACTIONS.map((each) => (
        <Button key={each} size="small" onPress={() => setAction(each)}>
          {t(each)}
        </Button>
      ))}
      <Button variant="ghost" size="small" icon="x" onPress={onClear} className="ml-auto">
        {t("clear")}
      </Button>
      {action === "limits" && (
        <BatchLimitsDialog
          target={{ kind: "keys", apikeyIds: ids }}
          onClose={() => setAction(undefined)}
          onDone={onClear}
        />
      )}
      {action !== undefined && action !== "limits" && (
        <BatchDialog
          action={action}
          apikeyIds={ids}
          spent={sumExactly(selected.values())}
          onClose={() => setAction(undefined)}
          onDone={onClear}
        />
      )}
    </section>
  );
}
