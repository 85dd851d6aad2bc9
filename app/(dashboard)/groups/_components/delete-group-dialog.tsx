"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { ConfirmDialog } from "@/components/confirm-dialog";
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
  // The list may be older than the keys that came into the group meanwhile.
  const { data } = trpc.groups.get.useQuery({ group_id: group.id }, { placeholderData: group, staleTime: 0 });
  const keyCount = (data ?? group).apikey_count;
  const deletion = trpc.groups.delete.useMutation({
    onSuccess: ({ ungrouped_count }) => {
      toast(t("done.deleted", { name: isolate(group.name), count: ungrouped_count }));
      onClose();
      onDeleted?.();
      utils.groups.search.invalidate();
      utils.keys.invalidate();
    },
    // Keys that came in between are counted anew, and the question asked again.
    onError: () => utils.groups.get.invalidate({ group_id: group.id }),
  });
  return (
    <ConfirmDialog
      isOpen
      title={t.rich("deletion.title", { name: group.name, bdi })}
      action={t("deletion.action")}
      // What went wrong is shown by the notice.
      onConfirm={() => deletion.mutateAsync({ group_id: group.id, ungroup_keys: keyCount > 0 }).catch(() => {})}
      onCancel={onClose}
      isPending={deletion.isPending}
    >
      <p>{keyCount > 0 ? t("deletion.keys", { count: keyCount }) : t("deletion.noKeys")}</p>
      {keyCount > 0 && <p>{t("deletion.spent", { amount: formats.amount((data ?? group).spent_this_month) })}</p>}
      <p>{t("deletion.final")}</p>
      <FailureNotice error={deletion.error} />
    </ConfirmDialog>
  );
}
