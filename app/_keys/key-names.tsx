"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { KeyId } from "./key-id";

const SHOWN = 5;

/** The names of the keys that a final action is about: the first few, and how many more. */
export function KeyNames({ apikeyIds }: { apikeyIds: string[] }) {
  const t = useTranslations("undo");
  const shown = apikeyIds.slice(0, SHOWN);
  const keys = trpc.useQueries((queries) => shown.map((apikey_id) => queries.keys.get({ apikey_id })));
  const moreCount = apikeyIds.length - shown.length;
  return (
    <ul className="grid gap-0.5 text-ink">
      {shown.map((id, index) => (
        <li key={id}>
          {keys[index]?.data && <bdi className="font-medium">{keys[index].data.name} </bdi>}
          <KeyId>{id}</KeyId>
        </li>
      ))}
      {moreCount > 0 && <li className="text-ink-soft">{t("moreKeys", { count: moreCount })}</li>}
    </ul>
  );
}
