"use client";

import { choiceOf } from "@/app/_limits/batch/choice";
import { BatchLimitsDialog } from "@/app/_limits/batch-limits-dialog";
import type { GroupWithLimits } from "@/server/groups/schema";
import { DefaultsDialog } from "./defaults-dialog";
import { DeleteGroupDialog } from "./delete-group-dialog";
import { GroupDialog } from "./group-dialog";

/** An action on a group, or the creation of one. */
export type GroupTask =
  | { kind: "create" }
  | {
      /** `defaults` changes the limits that new keys start with, and `defaultsForAll` sets these on the keys that are there. */
      kind: "edit" | "limits" | "defaults" | "defaultsForAll" | "delete";
      group: GroupWithLimits;
    };

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
    case "defaults":
      return <DefaultsDialog group={task.group} onClose={onClose} />;
    case "limits":
    case "defaultsForAll":
      return (
        <BatchLimitsDialog
          target={{ kind: "group", id: task.group.id, name: task.group.name }}
          {...(task.kind === "defaultsForAll" && { initial: choiceOf(task.group.defaults) })}
          onClose={onClose}
          onDone={onClose}
        />
      );
    case "delete":
      return <DeleteGroupDialog group={task.group} onClose={onClose} onDeleted={onDeleted} />;
  }
}
