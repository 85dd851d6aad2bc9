"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
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
  // Keys may have come into the group since the list was read.
  const { data = group } = trpc.groups.get.useQuery({ group_id: group.id }, { placeholderData: group, staleTime: 0 });
  const keyCount = data.apikey_count;
  const deletion = trpc.groups.delete.useMutation({
    // The server refuses when the group has keys that the question did not count. Then it asks again with the new count.
    onError: () => utils.groups.get.invalidate({ group_id: group.id }),
  });
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
        const { ungrouped_count } = await deletion.mutateAsync({ group_id: group.id, ungroup_keys: keyCount > 0 });
        toast(t("done.deleted", { name: isolate(group.name), count: ungrouped_count }));
        onClose();
        onDeleted?.();
        utils.groups.search.invalidate();
        utils.keys.invalidate();
      }}
      Failure={FailureNotice}
      onClose={onClose}
    />
  );
}
