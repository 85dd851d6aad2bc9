"use client";

import { useTranslations } from "use-intl/react";
import type { z } from "zod";
import { Icon } from "@/components/icon";
import { bdi } from "@/components/isolate";
import type { batchResult } from "@/server/groups/schema";

type PreviewOfModels = NonNullable<NonNullable<z.infer<typeof batchResult>["preview"]>["models"]>;

/** What a change of the ceilings of many keys means for models. Nothing where no model has a price. */
export function ChangedModels({ models, keyCount }: { models: PreviewOfModels; keyCount: number }) {
  const t = useTranslations("ceilings");
  const { total, allowed, coming, coming_count, going, going_count } = models;
  if (total === 0) return null;
  const { least, most } = allowed;
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="font-medium">
        {least < most
          ? t("allowsBetween", { least, most, total })
          : least === total
            ? t("allowsAll", { total })
            : t("allows", { allowed: least, total })}
      </p>
      <Listed
        title={t("going", { count: going_count })}
        tone="text-warn"
        models={going}
        count={going_count}
        keyCount={keyCount}
      />
      <Listed
        title={t("coming", { count: coming_count })}
        tone="text-good"
        models={coming}
        count={coming_count}
        keyCount={keyCount}
      />
    </div>
  );
}

function Listed({
  title,
  tone,
  models,
  count,
  keyCount,
}: {
  title: string;
  tone: string;
  models: PreviewOfModels["going"];
  /** How many there are, named or not. */
  count: number;
  keyCount: number;
}) {
  const t = useTranslations("ceilings");
  if (count === 0) return null;
  return (
    <details className="group">
      <summary className="flex min-h-6 cursor-pointer list-none items-center gap-1.5 rounded-md [&::-webkit-details-marker]:hidden">
        <Icon
          name="chevron-right"
          className="size-3.5 text-ink-soft transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        <span className={tone}>{title}</span>
      </summary>
      <ul className="mt-1 grid gap-x-6 gap-y-1 pl-5 text-[0.8125rem] sm:grid-cols-2">
        {models.map(({ name, key_count }) => (
          <li key={name} className="[overflow-wrap:anywhere]">
            {bdi(name)}{" "}
            {key_count < keyCount && <span className="text-ink-soft">{t("onKeys", { count: key_count })}</span>}
          </li>
        ))}
      </ul>
      {count > models.length && (
        <p className="mt-1 pl-5 text-[0.8125rem] text-ink-soft">{t("moreModels", { count: count - models.length })}</p>
      )}
    </details>
  );
}
