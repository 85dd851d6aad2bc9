"use client";

import { useTranslations } from "use-intl/react";
import { Menu } from "@/components/menu";
import type { GroupWithLimits } from "@/server/groups/schema";
import type { GroupTask } from "./group-task";

/** The menu of all actions on one group. */
export function GroupMenu({ group, onChoose }: { group: GroupWithLimits; onChoose(task: GroupTask): void }) {
  const t = useTranslations("groups");
  return (
    <Menu
      label={t("actions", { name: group.name })}
      sections={[
        {
          items: [
            { label: t("edit"), icon: "edit", onSelect: () => onChoose({ kind: "edit", group }) },
            {
              label: t("setLimits"),
              icon: "settings",
              isDisabled: group.apikey_count === 0,
              onSelect: () => onChoose({ kind: "limits", group }),
            },
            { label: t("setDefaults"), icon: "gauge", onSelect: () => onChoose({ kind: "defaults", group }) },
            { label: t("showKeys"), icon: "key", href: `/groups/${group.id}` },
            { label: t("history"), icon: "history", href: `/history?group=${group.id}` },
          ],
        },
        {
          items: [
            { label: t("delete"), icon: "trash", isDanger: true, onSelect: () => onChoose({ kind: "delete", group }) },
          ],
        },
      ]}
    />
  );
}
