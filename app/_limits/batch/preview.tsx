"use client";

import { useTranslations } from "use-intl/react";
import type { z } from "zod";
import { ChangedModels } from "@/app/_ceilings/changed-models";
import { Notice } from "@/components/notice";
import type { batchResult } from "@/server/groups/schema";
import type { FailedKey } from "@/server/keys/schema";
import { SHOWN_NAMES } from "../draft";
import { useLimitTexts } from "../limit-texts";
import { BlockedKeys } from "./blocked-keys";
import { FailedKeys } from "./failed-keys";

/** The server's answer to a dry run. */
export type Preview = NonNullable<z.infer<typeof batchResult>["preview"]>;

type Change = Preview["changes"][number];

/** Shows each limit before and after the change, and the keys that the new limits would block at once. */
export function PreviewOfChanges({ preview, failed }: { preview: Preview; failed: FailedKey[] }) {
  const t = useTranslations("batchLimits.preview");
  const { key_count, blocked_count } = preview;
  const sorted = SHOWN_NAMES.flatMap((name) => preview.changes.filter(({ parameter }) => parameter === name));
  // A value that stays is no change. When all stay, each says so.
  const changing = sorted.filter((change) => visiblyChanged(change) > 0);
  const changes = changing.length > 0 ? changing : sorted;
  return (
    <div className="grid gap-4">
      <ul className="divide-y divide-line border-y border-line">
        {changes.map((change) => (
          <ChangeRow key={change.parameter} change={change} keyCount={key_count} />
        ))}
      </ul>
      {preview.models && key_count > 0 && <ChangedModels models={preview.models} keyCount={key_count} />}
      {failed.length > 0 && (
        <Notice tone="info" title={t("failing", { count: failed.length })}>
          <FailedKeys failed={failed} />
        </Notice>
      )}
      {blocked_count === 0 ? (
        <p className="text-sm text-ink-soft">{t("noneBlocked")}</p>
      ) : (
        <BlockedKeys preview={preview} />
      )}
    </div>
  );
}

function ChangeRow({ change, keyCount }: { change: Change; keyCount: number }) {
  const t = useTranslations("batchLimits.preview");
  const texts = useLimitTexts();
  const { parameter, after, distinct_count } = change;
  const rows = asShown(change);
  const moreCount = distinct_count - change.before.length;
  const changedCount = visiblyChanged(change);
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 text-sm sm:grid-cols-[9.5rem_1fr_9.5rem]">
      <h4 className="font-medium">{texts.label(parameter)}</h4>
      {change.change ? (
        <ul className="grid grid-cols-[auto_auto_auto_1fr] items-start gap-x-3 tabular-nums">
          {rows.map(({ value, count, after: then }) => (
            <li key={value ?? "unset"} className="contents">
              <span>{texts.value(parameter, value)}</span>
              <Becomes>{texts.value(parameter, then)}</Becomes>
              <span className="text-ink-soft">{t("onKeys", { count })}</span>
            </li>
          ))}
          {moreCount > 0 && <li className="col-span-full text-ink-soft">{t("moreValues", { count: moreCount })}</li>}
        </ul>
      ) : (
        <div className="grid grid-cols-[1fr_auto_1fr] items-start gap-x-3 tabular-nums">
          <ul>
            {rows.map(({ value, count }) => (
              <li key={value ?? "unset"}>
                {texts.value(parameter, value)} <span className="text-ink-soft">{t("onKeys", { count })}</span>
              </li>
            ))}
            {moreCount > 0 && <li className="text-ink-soft">{t("moreValues", { count: moreCount })}</li>}
          </ul>
          <Becomes>{texts.value(parameter, after ?? null)}</Becomes>
        </div>
      )}
      <p className="text-ink-soft sm:text-right">
        {changedCount === 0 ? t("unchanged") : t("changed", { count: changedCount, total: keyCount })}
      </p>
    </li>
  );
}

function Becomes({ children }: { children: string }) {
  const t = useTranslations("batchLimits.preview");
  return (
    <>
      <span aria-hidden="true" className="text-ink-soft">
        →
      </span>
      <span>
        <span className="sr-only">{t("becomes")} </span>
        <strong className="font-semibold">{children}</strong>
      </span>
    </>
  );
}

interface ShownValue {
  value: number | string | null;
  /** What becomes of it, with a relative change. */
  after: number | string | null;
  count: number;
}

/** The values before the change. Unset and 0 are counted together, because both mean no limit. */
function asShown({ before }: Change): ShownValue[] {
  const shown = new Map<number | string | null, ShownValue>();
  for (const { value, key_count, after = null } of before) {
    const known = shown.get(value || null);
    shown.set(value || null, { value: value || null, after: after || null, count: (known?.count ?? 0) + key_count });
  }
  return [...shown.values()];
}

/** How many keys get another limit. A change from unset to 0 does not count. */
function visiblyChanged({ after, unset_count, changed_count }: Change): number {
  return changed_count - (after === 0 ? unset_count : 0);
}
