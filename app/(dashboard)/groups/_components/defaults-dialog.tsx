"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { draftOf, limitsOfDraft, SHOWN_NAMES } from "@/app/_limits/draft";
import { LimitFields } from "@/app/_limits/limit-fields";
import { useLimitDraft } from "@/app/_limits/use-limit-draft";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useRefresh } from "@/app/_trpc/use-refresh";
import { FormDialog } from "@/components/form-dialog";
import { bdi, isolate } from "@/components/isolate";
import { Switch } from "@/components/switch";
import { useToast } from "@/components/toast";
import type { GroupWithLimits } from "@/server/groups/schema";
import { useGroupBase } from "./use-group-base";

/** Sets the limits that new keys of a group start with. */
export function DefaultsDialog({ group, onClose }: { group: GroupWithLimits; onClose(): void }) {
  const t = useTranslations("groupDefaults");
  const toast = useToast();
  const refresh = useRefresh();
  const update = trpc.groups.update.useMutation();
  const limits = useLimitDraft(draftOf(group.defaults));
  const [isApplied, setApplied] = useState(group.apply_defaults);
  const { base, conflict } = useGroupBase(group, (current) => {
    limits.reset(draftOf(current.defaults));
    setApplied(current.apply_defaults);
  });
  return (
    <FormDialog
      title={t.rich("dialog.title", { name: group.name, bdi })}
      description={t("dialog.text")}
      action={t("dialog.save")}
      check={limits.check}
      onSubmit={async () => {
        const before = draftOf(base.defaults);
        const after = limitsOfDraft(limits.draft);
        // An unchanged one is not sent, so that it does not undo a change by somebody else.
        const changed = SHOWN_NAMES.filter((name) => limits.draft[name] !== before[name]);
        await update.mutateAsync({
          group_id: group.id,
          defaults: Object.fromEntries(changed.map((name) => [name, after[name]])),
          ...(isApplied !== base.apply_defaults && { apply_defaults: isApplied }),
          before: { defaults: base.defaults, apply_defaults: base.apply_defaults },
        });
        toast(t("done", { name: isolate(group.name) }));
        await refresh();
        onClose();
      }}
      Failure={FailureNotice}
      conflict={conflict}
      onClose={onClose}
    >
      <LimitFields limits={limits} before={base.defaults} />
      <div className="grid gap-1">
        <Switch label={t("dialog.apply")} isOn={isApplied} onChange={setApplied} />
        <p className="text-[0.8125rem] leading-relaxed text-ink-soft">{t("dialog.applyHint")}</p>
      </div>
    </FormDialog>
  );
}
