"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { FormDialog } from "@/components/form-dialog";
import { bdi } from "@/components/isolate";
import type { Key } from "@/server/keys/schema";
import { GroupField } from "./group-field";
import { useKeyChange } from "./use-key-change";

/** Moves a key to another group, or to none. Its limits stay. */
export function MoveKeyDialog({ apikey, onClose }: { apikey: Key; onClose(): void }) {
  const t = useTranslations("keys.moving");
  const { target, conflict, make, finish } = useKeyChange(apikey, onClose);
  const [groupId, setGroupId] = useState(apikey.group_id);
  const move = trpc.keys.move.useMutation();
  return (
    <FormDialog
      title={t.rich("title", { name: apikey.name, bdi })}
      description={t("text")}
      width="small"
      action={t("submit")}
      onSubmit={async () => {
        const { version } = await make(
          () => move.mutateAsync({ ...target, group_id: groupId }),
          (current) => current.group_id === groupId,
        );
        await finish("move", apikey.name, version, { group_id: groupId });
      }}
      Failure={FailureNotice}
      conflict={conflict((current) => setGroupId(current.group_id))}
      onClose={onClose}
    >
      <GroupField value={groupId} name={apikey.group_name} onChange={setGroupId} />
    </FormDialog>
  );
}
