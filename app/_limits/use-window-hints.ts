"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { useFormats } from "@/components/use-formats";
import { sumExactly } from "@/components/yuan";
import type { Key } from "@/server/keys/schema";
import { type LimitName, WINDOWS, type Window } from "@/server/limits/schema";
import { type LimitDraft, storedAmount } from "./draft";

/** What a key has spent of each window. */
const SPENT = { budget: "spent", daily_limit: "spent_today", monthly_limit: "spent_this_month" } as const;

/** What stands below the fields of a key's limits: what is spent and held, and what the typed limit would leave. */
export function useWindowHints(apikey: Key, draft: LimitDraft): Partial<Record<LimitName, string>> {
  const t = useTranslations("limits.beside");
  const formats = useFormats();
  const { client } = trpc.useUtils();
  // A key tells what is held in all. A check also tells it for the day and the month.
  const { data } = useQuery({
    queryKey: ["windows of a key", apikey.apikey_id],
    queryFn: () => client.authorizations.check.mutate({ apikey_id: apikey.apikey_id, amount: 0 }),
    gcTime: 0,
  });
  const hint = (name: Window) => {
    const checked = data?.limits.find(({ code }) => code === name);
    const spent = checked?.spent ?? apikey[SPENT[name]];
    const held = checked?.held ?? 0;
    const typed = storedAmount(name, draft[name]);
    const figures = { spent: formats.amount(spent), held: formats.amount(held) };
    if (!typed) return t("used", figures);
    const left = sumExactly([typed, -spent, -held]);
    return left > 0 ? t("leaves", { ...figures, left: formats.amount(left) }) : t("leavesNothing", figures);
  };
  const hints: Partial<Record<LimitName, string>> = {};
  for (const name of WINDOWS) hints[name] = hint(name);
  if (draft.expiry_date && draft.expiry_date < formats.today()) hints.expiry_date = t("expired");
  return hints;
}
