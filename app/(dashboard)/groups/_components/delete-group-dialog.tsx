"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { isGone } from "@/app/_trpc/failure";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useMake } from "@/app/_trpc/use-make";
import { useRefresh } from "@/app/_trpc/use-refresh";
import { FormDialog } from "@/components/form-dialog";
import { bdi, isolate } from "@/components/isolate";
import { useToast } from "@/components/toast";
import { useFormats } from "@/components/use-formats";
import type { GroupWithLimits } from "@/server/groups/schema";

/** Says what happens to the keys of a group, then deletes it. */
export function DeleteGroupDialog({
  group,
  onClose,
  onDeleted,
}: {
  group: GroupWithLimits;
  onClose(): void;
  onDeleted?: (() => void) | undefined;
}) {
  const t = useTranslations("groups");
  const formats = useFormats();
  const toast = useToast();
  const utils = trpc.useUtils();
  const refresh = useRefresh();
  // Keys may have come into the group since the list was read.
  const { data = group } = trpc.groups.get.useQuery({ group_id: group.id }, { placeholderData: group, staleTime: 0 });
  const keyCount = data.apikey_count;
  const deletion = trpc.groups.delete.useMutation({
    // The server refuses when the group has keys that the question did not count. Then it asks again with the new count.
    onError: () => utils.groups.get.invalidate({ group_id: group.id }),
  });
  const make = useMake();
  return (
    <FormDialog
      isQuestion
      isDanger
      title={t.rich("deletion.title", { name: group.name, bdi })}
      description={
        <div className="grid gap-3">
          <p>{keyCount > 0 ? t("deletion.keys", { count: keyCount }) : t("deletion.noKeys")}</p>
          {keyCount > 0 && <p>{t("deletion.spent", { amount: formats.amount(data.spent_this_month) })}</p>}
          <p>{t("deletion.final")}</p>
        </div>
      }
      width="small"
      action={t("deletion.action")}
      onSubmit={async () => {
        const { ungrouped_count } = await make(
          () => deletion.mutateAsync({ group_id: group.id, ungroup_keys: keyCount > 0 }),
          async (refusal) => (isGone(refusal) ? { ungrouped_count: keyCount } : undefined),
        );
        toast(t("done.deleted", { name: isolate(group.name), count: ungrouped_count }));
        if (!onDeleted) {
          await refresh();
          return onClose();
        }
        onClose();
        onDeleted();
        // The page of the group itself is left, and would only read that the group is gone.
        for (const each of [utils.groups.search, utils.groups.names, utils.keys, utils.history]) each.invalidate();
      }}
      Failure={FailureNotice}
      onClose={onClose}
    />
  );
}
