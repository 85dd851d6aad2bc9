"use client";

import { useTranslations } from "use-intl/react";
import type { IconName } from "@/components/icon";
import { Menu, type MenuProps } from "@/components/menu";
import type { Key } from "@/server/keys/schema";
import { actionsFor, type KeyAction } from "./key-action";

const ICONS: Record<KeyAction, IconName> = {
  limits: "settings",
  rename: "edit",
  move: "group",
  rotate: "rotate",
  disable: "minus",
  enable: "check",
  revoke: "trash",
};

/** The menu of all actions on one key. */
export function KeyMenu({ apikey, onAct }: { apikey: Key; onAct(action: KeyAction): void }) {
  return <Menu {...useKeyMenu()(apikey, onAct)} />;
}

/** Name and items of the menu of a key. */
export function useKeyMenu(): (
  apikey: Key,
  onAct: (action: KeyAction) => void,
) => Pick<MenuProps, "label" | "sections"> {
  const t = useTranslations("keys");
  return (apikey, onAct) => {
    const item = (action: KeyAction) => ({
      label: t(`actions.${action}`),
      icon: ICONS[action],
      isDanger: action === "revoke",
      onSelect: () => onAct(action),
    });
    const actions = actionsFor(apikey);
    const history = {
      label: t("actions.history"),
      icon: "history" as const,
      href: `/history?key=${encodeURIComponent(apikey.apikey_id)}`,
    };
    return {
      label: t("menuOf", { name: apikey.name }),
      sections: [
        { items: actions.filter((action) => action !== "revoke").map(item) },
        { items: [history] },
        { items: actions.filter((action) => action === "revoke").map(item) },
      ].filter(({ items }) => items.length > 0),
    };
  };
}
