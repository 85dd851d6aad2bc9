"use client";

import { useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { NameField } from "@/app/_names/name-field";
import { useName } from "@/app/_names/use-name";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useMake } from "@/app/_trpc/use-make";
import { useRefresh } from "@/app/_trpc/use-refresh";
import { secondsSince } from "@/app/_undo/seconds-since";
import { useUndoableToast } from "@/app/_undo/use-undoable-toast";
import { FormDialog } from "@/components/form-dialog";
import { isolate } from "@/components/isolate";
import { TextField } from "@/components/text-field";
import type { Group } from "@/server/groups/schema";
import { useGroupBase } from "./use-group-base";

/** Creates a group, or changes the name and the description of one. */
export function GroupDialog({
  group,
  onClose,
}: {
  /** The group to change. Without it, a new group is created. */
  group?: Pick<Group, "id" | "name" | "description">;
  onClose(): void;
}) {
  const t = useTranslations("groups");
  const toast = useUndoableToast();
  const openedAt = useRef(performance.now());
  const refresh = useRefresh();
  const create = trpc.groups.create.useMutation();
  const update = trpc.groups.update.useMutation();
  const make = useMake();
  const utils = trpc.useUtils();
  const name = useName(group?.name ?? "");
  const [description, setDescription] = useState(group?.description ?? "");
  const { base, conflict } = useGroupBase(group, (current) => {
    name.reset(current.name);
    setDescription(current.description);
  });
  /** The newest creation of a group from this dialog, if it was of this one. */
  const findOwn = async () => {
    const seconds = secondsSince(openedAt.current);
    const { after } = await utils.client.history.latest.query({ action: "group.created", seconds });
    return (after.name === name.value.normalize("NFC") && (after.description ?? "") === description) || undefined;
  };
  /** Returns what of an existing group has changed. */
  const save = async () => {
    if (!base) {
      await make(() => create.mutateAsync({ name: name.value, description }), findOwn);
      return undefined;
    }
    // An unchanged field is not sent, so that it does not undo a change by somebody else.
    const changed = {
      ...(name.value !== base.name && { name: name.value }),
      ...(description !== base.description && { description }),
    };
    if (Object.keys(changed).length === 0) return undefined;
    const before = { name: base.name, description: base.description };
    await update.mutateAsync({ group_id: base.id, ...changed, before });
    return { action: "group.changed", group_id: base.id, since: openedAt.current, after: changed } as const;
  };
  return (
    <FormDialog
      title={t(group ? "form.editTitle" : "form.createTitle")}
      action={t(group ? "form.save" : "form.create")}
      check={name.check}
      onSubmit={async () => {
        const change = await save();
        toast(t(group ? "done.changed" : "done.created", { name: isolate(name.value) }), change);
        await refresh();
        onClose();
      }}
      Failure={FailureNotice}
      conflict={conflict}
      onClose={onClose}
    >
      <NameField label={t("form.name")} hint={t("form.nameHint")} name={name} />
      <TextField
        label={t("form.descriptionField")}
        hint={t("form.descriptionHint")}
        value={description}
        onChange={setDescription}
        rows={3}
      />
    </FormDialog>
  );
}
