"use client";

import { useState } from "react";
import { trpc } from "@/app/_trpc/client";
import { isConflict } from "@/app/_trpc/failure";
import { useReadCurrent } from "@/app/_trpc/use-read-current";
import type { Conflict } from "@/components/form-dialog";
import type { Group, GroupWithLimits } from "@/server/groups/schema";

/**
 * The group that a change in a dialog is based on: as it was when the dialog opened, or when it was last read again because
 * somebody else had changed it. Without a group, as for a new one, there is no conflict.
 * @param onReload takes the present state of the group into the fields.
 */
export function useGroupBase<Shown extends Pick<Group, "id"> | undefined>(
  shown: Shown,
  onReload: (current: GroupWithLimits) => void,
): { base: Shown | GroupWithLimits; conflict: Conflict | undefined } {
  const utils = trpc.useUtils();
  const readCurrent = useReadCurrent();
  const [base, setBase] = useState<Shown | GroupWithLimits>(shown);
  const reload = async (group_id: string) => {
    const current = await readCurrent(() => utils.groups.get.fetch({ group_id }, { staleTime: 0 }));
    setBase(current);
    onReload(current);
  };
  return { base, conflict: shown && { isConflict, reload: () => reload(shown.id) } };
}
