"use client";

import { useTranslations } from "use-intl/react";
import type { LeftOut } from "@/server/history/schema";

/** Why undoing a change leaves a key or a group as it is. */
export function useLeftOutText(): (leftOut: Pick<LeftOut, "code" | "error">) => string {
  const t = useTranslations("errors");
  return ({ code, error }) => {
    const key = code as "changed_since";
    return t.has(key) ? t(key) : error;
  };
}
