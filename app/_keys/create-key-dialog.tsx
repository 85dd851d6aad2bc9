"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { EMPTY_DRAFT, patchOfNew } from "@/app/_limits/draft";
import { LimitFields } from "@/app/_limits/limit-fields";
import { useLimitDraft } from "@/app/_limits/use-limit-draft";
import { type NameFault, nameFault } from "@/app/_names/name-fault";
import { ShownOnce } from "./shown-once";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { bdi } from "@/components/isolate";
import { TextField } from "@/components/text-field";
import { GroupField } from "./group-field";

/** Creates a key, then shows its value once. */
export function CreateKeyDialog({ groupId = "", onClose }: { groupId?: string; onClose(): void }) {
  const t = useTranslations("keys.creating");
  const words = useTranslations("names");
  const utils = trpc.useUtils();
  const create = trpc.keys.create.useMutation({ onSuccess: () => utils.invalidate() });
  const [name, setName] = useState("");
  const [fault, setFault] = useState<NameFault>();
  const [group, setGroup] = useState(groupId);
  const limits = useLimitDraft(EMPTY_DRAFT);

  if (create.data)
    return <ShownOnce title={t.rich("created", { name, bdi })} value={create.data.apikey} onClose={onClose} />;

  const submit = () => {
    const wrongName = nameFault(name);
    setFault(wrongName);
    if (!limits.check() || wrongName || create.isPending) return;
    create.mutate({ name, ...(group !== "" && { group_id: group }), ...patchOfNew(limits.draft) });
  };
  return (
    <Dialog
      isOpen
      title={t("title")}
      onClose={() => !create.isPending && onClose()}
      onSubmit={submit}
      footer={
        <>
          <Button onPress={onClose} isDisabled={create.isPending}>
            {t("cancel")}
          </Button>
          <Button variant="primary" type="submit" isPending={create.isPending}>
            {t("submit")}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FailureNotice error={create.error} />
        <TextField
          label={t("name")}
          value={name}
          onChange={(value) => {
            setName(value);
            if (fault) setFault(nameFault(value));
          }}
          onBlur={() => name !== "" && setFault(nameFault(name))}
          error={fault && words(fault)}
          placeholder={t("namePlaceholder")}
          autoComplete="off"
          isRequired
          isFocusedFirst
        />
        <GroupField value={group} onChange={setGroup} />
        <LimitFields draft={limits.draft} onChange={limits.change} faults={limits.faults} onLeave={limits.leave} />
      </div>
    </Dialog>
  );
}
