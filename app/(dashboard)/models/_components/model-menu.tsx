"use client";

import { useTranslations } from "use-intl/react";
import { usePriceTexts } from "@/app/_prices/price-texts";
import { Menu } from "@/components/menu";
import type { ModelEntry } from "@/server/prices/schema";
import type { ModelTask } from "./model-task";

/** The menu of all actions on one price. Prices of the operator can only be overridden. */
export function ModelMenu({ model, onChoose }: { model: ModelEntry; onChoose(task: ModelTask): void }) {
  const t = useTranslations("models.menu");
  const sources = useTranslations("models.sources");
  const texts = usePriceTexts();
  const item = (kind: "edit" | "plan" | "override" | "delete") => ({
    label: t(kind),
    onSelect: () => onChoose({ kind, model }),
  });
  return (
    <Menu
      // Several rows may have the name.
      label={t("label", { name: model.name, source: sources(model.source), day: texts.day(model.valid_from) })}
      sections={
        model.source === "operator"
          ? [{ items: [{ ...item("override"), icon: "edit" }] }]
          : [
              {
                items: [
                  { ...item("edit"), icon: "edit" },
                  { ...item("plan"), icon: "clock" },
                ],
              },
              { items: [{ ...item("delete"), icon: "trash", isDanger: true }] },
            ]
      }
    />
  );
}
