"use client";

import { BatchLimitsDialog } from "@/app/_limits/batch-limits-dialog";
import type { GroupWithLimits } from "@/server/groups/schema";
import { DeleteGroupDialog } from "./delete-group-dialog";
import { GroupDialog } from "./group-dialog";

/** An action on a group, or the creation of one. */
export type GroupTask = { kind: "create" } | { kind: "edit" | "limits" | "delete"; group: GroupWithLimits };

/** The dialog of the chosen action. */
export function GroupTaskDialog({
  task,
  onClose,
  onDeleted,
}: {
  task: GroupTask | undefined;
  onClose(): void;
  onDeleted?: (() => void) | undefined;
}) {
  switch (task?.kind) {
    case "create":
      return <GroupDialog onClose={onClose} />;
    case "edit":
      return <GroupDialog group={task.group} onClose={onClose} />;
    case "limits":
      return (
        <BatchLimitsDialog
          target={{ kind: "group", id: task.group.id, name: task.group.name }}
          onClose={onClose}
          onDone={onClose}
        />
      );
    case "delete":
      return <DeleteGroupDialog group={task.group} onClose={onClose} onDeleted={onDeleted} />;
  }
}
