"use client";

import { useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { nameFault } from "@/app/_names/name-fault";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { isolate } from "@/components/isolate";
import { TextField } from "@/components/text-field";
import { useToast } from "@/components/toast";
import type { Group } from "@/server/groups/schema";

/** Makes a group, or changes the name and the description of one. */
export function GroupDialog({
  group,
  onClose,
}: {
  /** The group to change; absent: a new one. */
  group?: Pick<Group, "id" | "name" | "description">;
  onClose(): void;
}) {
  const t = useTranslations("groups");
  const names = useTranslations("names");
  const toast = useToast();
  const utils = trpc.useUtils();
  const creation = trpc.groups.create.useMutation();
  const change = trpc.groups.update.useMutation();
  const { error, isPending } = group ? change : creation;
  const [name, setName] = useState(group?.name ?? "");
  const [description, setDescription] = useState(group?.description ?? "");
  const [isNameLeft, setNameLeft] = useState(false);
  const sending = useRef(false);

  const fault = nameFault(name);

  const save = async () => {
    setNameLeft(true);
    // The state of React is too late for the second click of a double one.
    if (sending.current || fault) return;
    sending.current = true;
    try {
      if (group) await saveChange(group);
      else await creation.mutateAsync({ name, description });
    } catch {
      // Shown below the fields, in which everything stays as it was typed.
      return;
    } finally {
      sending.current = false;
    }
    utils.groups.invalidate();
    toast(t(group ? "done.changed" : "done.created", { name: isolate(name) }));
    onClose();
  };
  const saveChange = async ({ id, name: oldName, description: oldDescription }: NonNullable<typeof group>) => {
    // What was not touched is not sent, and so does not undo what somebody else has changed meanwhile.
    const changed = { ...(name !== oldName && { name }), ...(description !== oldDescription && { description }) };
    if (Object.keys(changed).length > 0) await change.mutateAsync({ group_id: id, ...changed });
  };

  return (
    <Dialog
      isOpen
      title={group ? t("form.editTitle") : t("form.createTitle")}
      onClose={onClose}
      onSubmit={save}
      footer={
        <>
          <Button onPress={onClose}>{t("form.cancel")}</Button>
          <Button variant="primary" type="submit" isPending={isPending}>
            {group ? t("form.save") : t("form.create")}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <TextField
          label={t("form.name")}
          hint={t("form.nameHint")}
          error={isNameLeft && fault ? names(fault) : undefined}
          value={name}
          onChange={setName}
          onBlur={() => setNameLeft(name !== "")}
          autoComplete="off"
          isRequired
        />
        <TextField
          label={t("form.descriptionField")}
          hint={t("form.descriptionHint")}
          value={description}
          onChange={setDescription}
          rows={3}
        />
        <FailureNotice error={error} />
      </div>
    </Dialog>
  );
}
