"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { NameField } from "@/app/_names/name-field";
import { useName } from "@/app/_names/use-name";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { FormDialog } from "@/components/form-dialog";
import { isolate } from "@/components/isolate";
import { TextField } from "@/components/text-field";
import { useToast } from "@/components/toast";
import type { Group } from "@/server/groups/schema";

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
  const toast = useToast();
  const utils = trpc.useUtils();
  const create = trpc.groups.create.useMutation();
  const update = trpc.groups.update.useMutation();
  const name = useName(group?.name ?? "");
  const [description, setDescription] = useState(group?.description ?? "");
  const save = async () => {
    if (!group) return create.mutateAsync({ name: name.value, description });
    // An unchanged field is not sent, so that it does not undo a change by somebody else.
    const changed = {
      ...(name.value !== group.name && { name: name.value }),
      ...(description !== group.description && { description }),
    };
    if (Object.keys(changed).length > 0) await update.mutateAsync({ group_id: group.id, ...changed });
  };
  return (
    <FormDialog
      title={t(group ? "form.editTitle" : "form.createTitle")}
      action={t(group ? "form.save" : "form.create")}
      check={name.check}
      onSubmit={async () => {
        await save();
        utils.groups.invalidate();
        toast(t(group ? "done.changed" : "done.created", { name: isolate(name.value) }));
        onClose();
      }}
      Failure={FailureNotice}
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
