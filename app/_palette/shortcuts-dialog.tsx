"use client";

import { useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { usePaletteKeys, useSingleKeys } from "./keyboard";
import type { HelpProps } from "./palette-props";
import { SingleKeysSwitch } from "./single-keys-switch";

const SINGLE = { search: "/", create: "c", help: "?" } as const;

/** A sheet of the keyboard shortcuts. Those of one character can be turned off here. */
export function ShortcutsDialog({ onClose }: HelpProps) {
  const t = useTranslations("palette.shortcuts");
  const keys = usePaletteKeys();
  const isOn = useSingleKeys();
  return (
    <Dialog
      title={t("title")}
      width="small"
      onClose={onClose}
      footer={
        <Button variant="primary" onPress={onClose} isFocusedFirst>
          {t("close")}
        </Button>
      }
    >
      <dl className="divide-y divide-line text-sm">
        <Row keys={keys}>{t("palette")}</Row>
        {(["search", "create", "help"] as const).map((name) => (
          <Row key={name} keys={SINGLE[name]} isOff={!isOn}>
            {t(name)}
          </Row>
        ))}
      </dl>
      <div className="mt-4 border-t border-line pt-4">
        <SingleKeysSwitch />
      </div>
    </Dialog>
  );
}

function Row({ keys, isOff = false, children }: { keys: string; isOff?: boolean; children: string }) {
  return (
    <div className="flex items-center justify-between gap-4 py-2.5">
      <dt className={isOff ? "text-ink-soft line-through" : ""}>{children}</dt>
      <dd>
        <kbd className="inline-block min-w-7 rounded-md border border-line bg-panel px-2 py-0.5 text-center font-sans text-xs">
          {keys}
        </kbd>
      </dd>
    </div>
  );
}
