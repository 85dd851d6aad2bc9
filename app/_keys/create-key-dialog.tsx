"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { DefaultsSource } from "@/app/_group-defaults/defaults-source";
import { useGroupDefaults } from "@/app/_group-defaults/use-group-defaults";
import { EMPTY_DRAFT, patchOfNew } from "@/app/_limits/draft";
import { LimitFields } from "@/app/_limits/limit-fields";
import { useLimitDraft } from "@/app/_limits/use-limit-draft";
import { NameField } from "@/app/_names/name-field";
import { useName } from "@/app/_names/use-name";
import { trpc } from "@/app/_trpc/client";
import { useRefresh } from "@/app/_trpc/use-refresh";
import { FormDialog } from "@/components/form-dialog";
import { bdi } from "@/components/isolate";
import { CreationFailure } from "./creation-failure";
import { GroupField } from "./group-field";
import { ShownOnce } from "./shown-once";

/** Creates a key, then shows its value once. @param groupId the group that is chosen at first. */
export function CreateKeyDialog({ groupId = null, onClose }: { groupId?: string | null; onClose(): void }) {
  const t = useTranslations("keys.creating");
  const refresh = useRefresh();
  // The value is shown at once. Whoever waited for the list with it might leave.
  const create = trpc.keys.create.useMutation({ onSuccess: () => void refresh() });
  const name = useName("");
  const [group, setGroup] = useState(groupId);
  const limits = useLimitDraft(EMPTY_DRAFT);
  const defaults = useGroupDefaults(group, limits);
  if (create.data) {
    // The field may say something else by now.
    const title = t.rich("created", { name: create.data.name, bdi });
    return <ShownOnce title={title} value={create.data.apikey} onClose={onClose} />;
  }
  return (
    <FormDialog
      title={t("title")}
      action={t("submit")}
      check={() => {
        const isNamed = name.check();
        return limits.check() && isNamed;
      }}
      onSubmit={async () => {
        if (!(await defaults.settle())) return;
        await create.mutateAsync({
          name: name.value,
          // What the form shows is what the key gets, also where a default was turned off.
          ...(group !== null && { group_id: group, apply_defaults: false }),
          ...patchOfNew(limits.draft),
        });
      }}
      isAnsweredOnce
      Failure={CreationFailure}
      onClose={onClose}
    >
      <NameField label={t("name")} placeholder={t("namePlaceholder")} name={name} />
      <GroupField value={group} onChange={setGroup} />
      <div className="grid gap-2">
        <DefaultsSource defaults={defaults} />
        <LimitFields limits={limits} />
      </div>
    </FormDialog>
  );
}
