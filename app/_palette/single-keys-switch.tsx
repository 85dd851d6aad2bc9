"use client";

import { useTranslations } from "use-intl/react";
import { Switch } from "@/components/switch";
import { turnSingleKeys, useSingleKeys } from "./keyboard";

/** Turns the shortcuts of one character on or off, which speech input and some keyboards trigger by mistake. */
export function SingleKeysSwitch() {
  const t = useTranslations("palette.shortcuts");
  return <Switch label={t("single")} isOn={useSingleKeys()} onChange={turnSingleKeys} />;
}
